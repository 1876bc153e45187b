namespace Cluster.Benchmarks.Glue;

/// <summary>A node of a ring: the graph with a cycle. Filled by the benchmark.</summary>
public sealed class PeerNode
{
    /// <summary>Payload.</summary>
    public string Name { get; set; } = new('n', 80);

    /// <summary>The next of the ring.</summary>
    public PeerNode? Next { get; set; }

    /// <summary>A ring of about 2 KB.</summary>
    public static PeerNode MakeRing()
    {
        var first = new PeerNode();
        var last = first;
        for (var i = 0; i < 22; i++)
        {
            last.Next = new PeerNode();
            last = last.Next;
        }

        last.Next = first;
        return first;
    }
}
