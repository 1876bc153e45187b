using Cluster.Benchmarks.Glue;
using Cluster.Benchmarks.GraphEngine;
using Cluster.Benchmarks.Harness;
using Cluster.Benchmarks.Pile;
using Cluster.Benchmarks.Rivals;
using Cluster.Benchmarks.Web;

return args switch
{
    [GluePeer.Argument] => await GluePeer.RunAsync(Console.In, Console.Out),
    [OrleansSilo.Argument] => await OrleansSilo.RunAsync(Console.In, Console.Out),
    [StateNode.Argument, var folder, var name] => await StateNode.RunAsync(folder, name, Console.In, Console.Out),
    [WebNode.Argument, var folder, var name] => await WebNode.RunAsync(folder, name, Console.In, Console.Out),
    [ServerHost.Redis] => await ServerHost.RunRedisAsync(Console.In, Console.Out),
    [ServerHost.Garnet] => await ServerHost.RunGarnetAsync(Console.In, Console.Out),
    [ValueSilo.Argument, .. var ports] => await ValueSilo.RunAsync(ports, Console.In, Console.Out),
    [GlueReport.Command, .. var options] => GlueReport.Run(options, Console.Out),
    [MemoryToucher.Argument, var bytes] => MemoryToucher.Run(bytes, Console.Out),
    [GraphEngineSide.Argument, var iterations] => GraphEngineSide.Run(iterations, Console.In, Console.Out),
    [GraphEngineProgram.Command, .. var options] => GraphEngineProgram.Run(options, Console.Out),
    [MappedProgram.Command, .. var options] => MappedProgram.Run(options, Console.Out),
    _ => BenchmarkProgram.Run(args, Console.Out, Console.Error),
};
