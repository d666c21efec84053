#!/bin/sh
echo fine
