using Cluster.Contracts;

namespace Cluster.Benchmarks.Glue;

/// <summary>What the peer process of the glue area serves.</summary>
public interface IPeerService
{
    /// <summary>The small call of the figures.</summary>
    /// <param name="left">A summand.</param>
    /// <param name="right">A summand.</param>
    ValueTask<int> AddAsync(int left, int right);

    /// <summary>An object of about 200 bytes, both ways.</summary>
    /// <param name="order">The object.</param>
    ValueTask<PeerOrder> EchoOrderAsync(PeerOrder order);

    /// <summary>A graph of about 2 KB with a cycle, both ways.</summary>
    /// <param name="graph">Its first node.</param>
    ValueTask<PeerNode> EchoGraphAsync(PeerNode graph);

    /// <summary>Counted by the peer.</summary>
    /// <param name="value">Ignored.</param>
    [OneWay]
    ValueTask NoteAsync(int value);

    /// <summary>One-way calls seen so far.</summary>
    ValueTask<long> NotesAsync();

    /// <summary>Bytes that the peer process has allocated so far.</summary>
    ValueTask<long> AllocatedAsync();
}
