debian=(ant=1.10.13-1 ant-optional=1.10.13-1 junit4=4.13.2-3)
run() { ant -silent; }
