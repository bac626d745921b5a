"""Put scores where strategies expect them: absolute relevance, or expected share of the gold."""

from rse.calibration.chain import Chain, permitted
from rse.calibration.default import default_share
from rse.calibration.examples import Example
from rse.calibration.learned import FittedOnError
from rse.calibration.listwise import Share
from rse.calibration.plain import Beta, Max, MinMax, Rank, Raw, Sigmoid
from rse.calibration.pointwise import Isotonic, Logistic
from rse.calibration.protocol import Calibration
from rse.calibration.serial import UNFITTED, from_json, to_json
from rse.calibration.smooth import Smooth

__all__ = [
    "UNFITTED",
    "Beta",
    "Calibration",
    "Chain",
    "Example",
    "FittedOnError",
    "Isotonic",
    "Logistic",
    "Max",
    "MinMax",
    "Rank",
    "Raw",
    "Share",
    "Sigmoid",
    "Smooth",
    "default_share",
    "from_json",
    "permitted",
    "to_json",
]
