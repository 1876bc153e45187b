using System.Runtime.Serialization;

namespace Cluster.Slim.Tests.Codecs.Callbacks;

#pragma warning disable SYSLIB0050, SYSLIB0051 // Tests what types of before implement.

/// <summary>Objects that say themselves what is carried of them, and wait for each other, cost little each.</summary>
public sealed class CompletionCostTests
{
    private const int Count = 1_000;

    // What the walk over waiting objects allocates tells its steps; a step for each part of the content took twice that.
    [Fact]
    [Trait("Case", "repair-E")]
    public void ChainOfObjects_ThatWaitForEachOther_AllocatesLittleForEach()
    {
        SlimSerializer slim = new(new SlimOptions().AllowCallbacks<Link>());
        List<Link> links = [new Link("link 0", null)];
        while (links.Count < Count)
            links.Add(new Link("link " + links.Count, links[^1]));
        links[0].Next = links[^1];
        var message = slim.Serialize(links);
        slim.Deserialize<List<Link>>(message);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var back = slim.Deserialize<List<Link>>(message);
        var bytes = (GC.GetAllocatedBytesForCurrentThread() - before) / Count;
        Assert.Same(back[^2], back[^1].Next);
        Assert.InRange(bytes, 1, 2_000);
    }

    private sealed class Link : ISerializable
    {
        private readonly string _name;

        public Link(string name, Link? next) => (_name, Next) = (name, next);

        private Link(SerializationInfo info, StreamingContext context)
        {
            _name = info.GetString("name")!;
            Next = (Link?)info.GetValue("next", typeof(Link));
        }

        public Link? Next { get; set; }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("name", _name);
            info.AddValue("next", Next);
        }
    }
}
