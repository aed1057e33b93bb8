"""What a collective costs: predict(setting, sizes) with its band, its parts and its reasons."""

from core.collectives.cost_model.answer import PROTOCOLS, Prediction, label
from core.collectives.cost_model.columns import ColumnAnswers, predict_columns
from core.collectives.cost_model.errors import CostModelError
from core.collectives.cost_model.predict import predict
from core.collectives.cost_model.setting import (
    ALGORITHMS,
    COLLECTIVES,
    IMPLEMENTATIONS,
    LAUNCHES,
    Point,
    Setting,
)
from core.collectives.cost_model.version import MODEL_VERSION

__all__ = [
    "ALGORITHMS",
    "COLLECTIVES",
    "IMPLEMENTATIONS",
    "LAUNCHES",
    "MODEL_VERSION",
    "PROTOCOLS",
    "ColumnAnswers",
    "CostModelError",
    "Point",
    "Prediction",
    "Setting",
    "label",
    "predict",
    "predict_columns",
]
