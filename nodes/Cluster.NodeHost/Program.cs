using Cluster.NodeHost;

return await new ClusterCommand(new OperatorConsole(), TimeProvider.System).RunAsync(args);
