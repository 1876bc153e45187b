namespace Cluster.Benchmarks.Slim;

/// <summary>Workload J: a struct of numbers.</summary>
/// <param name="Id">A number.</param>
/// <param name="Price">A price.</param>
/// <param name="Amount">An amount.</param>
/// <param name="Time">A time in ticks.</param>
public readonly record struct Trade(long Id, double Price, double Amount, long Time);
