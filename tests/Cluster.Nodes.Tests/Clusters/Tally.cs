using Cluster.StateStore;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>A value of the state that cluster tests use: a graph, not a number.</summary>
public sealed class Tally
{
    public int Count { get; set; }

    public List<string> By { get; } = [];
}

/// <summary>Counts on the owner.</summary>
public sealed class CountUp(string by) : IStateOperation<Tally, int>
{
    private readonly string _by = by;

    public int Apply(ref Tally? state, in OperationContext context)
    {
        state ??= new Tally();
        state.By.Add(_by);
        return ++state.Count;
    }
}

/// <summary>A service that says which node answers.</summary>
public interface IGreeter
{
    ValueTask<string> GreetAsync(string who, CancellationToken cancellationToken = default);
}

/// <summary>The name that a greeter says.</summary>
public sealed record GreeterName(string Value);

/// <summary>Answers with its node's name.</summary>
public sealed class Greeter(GreeterName name) : IGreeter
{
    public ValueTask<string> GreetAsync(string who, CancellationToken cancellationToken = default) =>
        new($"{name.Value} greets {who}");
}
