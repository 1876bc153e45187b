using Cluster.Benchmarks.Glue;
using Cluster.Benchmarks.Harness;

return args is [GluePeer.Argument]
    ? await GluePeer.RunAsync(Console.In, Console.Out)
    : BenchmarkProgram.Run(args, Console.Out, Console.Error);
