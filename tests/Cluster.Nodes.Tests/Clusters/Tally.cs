using Cluster.StateStore;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>The value of the state that cluster tests use: a graph, not only a number.</summary>
public sealed class Tally
{
    public int Count { get; set; }

    public List<string> By { get; } = [];
}

/// <summary>Raises the count on the owner.</summary>
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

/// <summary>A service whose answer names its node.</summary>
public interface IGreeter
{
    ValueTask<string> GreetAsync(string who, CancellationToken cancellationToken = default);
}

/// <summary>The name with which a greeter answers.</summary>
public sealed record GreeterName(string Value);

/// <summary>Answers with the name of its node.</summary>
public sealed class Greeter(GreeterName name) : IGreeter
{
    public ValueTask<string> GreetAsync(string who, CancellationToken cancellationToken = default) =>
        new($"{name.Value} greets {who}");
}
