"""From stored records to the rows of tables: means, intervals, margins, costs, latencies."""
