namespace Cluster.Benchmarks.Slim;

/// <summary>Workload I: a linked list that is as deep as it is long.</summary>
public sealed class ChainNode
{
    /// <summary>A number.</summary>
    public int Number { get; set; }

    /// <summary>The next node.</summary>
    public ChainNode? Next { get; set; }

    /// <summary>Makes a list.</summary>
    /// <param name="count">The number of nodes.</param>
    public static ChainNode Sample(int count)
    {
        ChainNode first = new();
        for (var i = 1; i < count; i++)
            first = new ChainNode { Number = i, Next = first };

        return first;
    }
}
