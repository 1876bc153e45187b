namespace Cluster.Slim.Tests.Graph;

/// <summary>Acceptance case E: a graph of 14 million objects, with the limits raised for it. Takes gigabytes and
/// minutes.</summary>
[Trait("Case", "slim-E")]
public sealed class SizeSoakTests
{
    private const int Count = 14_000_000;

    [Fact]
    [Trait("Category", "Soak")]
    public void FourteenMillionObjects_ComeBackWithTheirSharing()
    {
        SlimSerializer slim = new(new SlimOptions
        {
            Limits = new SlimLimits { MaxGraphBytes = 8L << 30, MaxMessageBytes = int.MaxValue },
        });
        Node root = new() { Number = Count - 1 };
        for (var i = Count - 2; i >= 0; i--)
            root = new Node { Number = i, Next = root, Other = i % 3 == 0 ? root : null };
        var message = slim.Serialize(root);
        root = new Node();
        var back = slim.Deserialize<Node>(message);
        var seen = 0;
        for (; back is not null; back = back.Next, seen++)
        {
            var isShared = seen % 3 == 0 && back.Next is not null;
            var other = isShared ? back.Next : null;
            Assert.True(back.Number == seen && ReferenceEquals(back.Other, other), $"node {seen}");
        }

        Assert.Equal(Count, seen);
        Assert.Equal(1, slim.DeepClone(new Node { Number = 1 }).Number);
    }

    private sealed class Node
    {
        public int Number;
        public Node? Next;
        public Node? Other;
    }
}
