"""The cells (position, money) of an evening, and the linear map of one roll."""
