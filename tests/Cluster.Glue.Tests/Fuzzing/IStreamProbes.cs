namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Two streams, by whose references a server can lie.</summary>
public sealed class StreamPair
{
    public IAsyncEnumerable<int>? First { get; set; }

    public IAsyncEnumerable<int>? Second { get; set; }
}

/// <summary>A contract whose results hand streams over.</summary>
public interface IStreamProbes
{
    Task<StreamPair> PairAsync();
}
