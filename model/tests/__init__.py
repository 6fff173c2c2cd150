# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the model: python3 -m unittest discover -s model/tests -t model"""
