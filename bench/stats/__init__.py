"""How sure a mean is: intervals by resampling, by cluster where there are enough."""
