"""Positions × money: the cells of an evening, and the linear map of one roll."""
