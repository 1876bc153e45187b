using Cluster.Nodes.Status;

namespace Cluster.Nodes.Tests.Status;

/// <summary>The longest pause that a node reports counts only pauses after the program's start-up.</summary>
public sealed class GcPausesTests
{
    [Fact]
    public void Observe_CollectionSinceConstruction_IsCounted()
    {
        var pauses = new GcPauses();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true);
        Assert.True(pauses.Observe() > TimeSpan.Zero);
    }

    [Fact]
    public void Observe_CollectionsBeforeConstruction_AreNotCounted()
    {
        // Other tests of this process may start a collection in between and hide the effect. The test then tries again.
        for (var attempt = 0; attempt < 100; attempt++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true);
            var pauses = new GcPauses();
            var before = GC.CollectionCount(0);
            var longest = pauses.Observe();
            if (GC.CollectionCount(0) != before)
                continue;
            Assert.Equal(TimeSpan.Zero, longest);
            return;
        }

        Assert.Fail("No quiet moment in 100 attempts.");
    }
}
