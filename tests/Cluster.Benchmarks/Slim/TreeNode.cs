namespace Cluster.Benchmarks.Slim;

/// <summary>Workload F: a tree whose nodes know their parent, hence a graph with cycles.</summary>
public sealed class TreeNode
{
    /// <summary>A number.</summary>
    public int Number { get; set; }

    /// <summary>The node above.</summary>
    public TreeNode? Parent { get; set; }

    /// <summary>The nodes below.</summary>
    public List<TreeNode> Children { get; set; } = [];

    /// <summary>Makes a tree in which every node has up to four children.</summary>
    /// <param name="count">The number of nodes.</param>
    public static TreeNode Sample(int count)
    {
        var nodes = Enumerable.Range(0, count).Select(i => new TreeNode { Number = i }).ToArray();
        for (var i = 1; i < count; i++)
        {
            nodes[i].Parent = nodes[(i - 1) / 4];
            nodes[(i - 1) / 4].Children.Add(nodes[i]);
        }

        return nodes[0];
    }
}
