using Cluster.Slim.Graph;

namespace Cluster.Slim.Tests.Graph;

/// <summary>Objects are said to differ only when they do, also while the collector moves them.</summary>
[Trait("Case", "repair-E")]
public sealed class DistinctObjectsTests
{
    private const int Count = 20_000;

    [Fact]
    public void ObjectsThatDiffer_AreCounted_InAnyOrder_AndNullsAreNot()
    {
        CheckCount(Count, static _ => { });
        CheckCount(Count, static objects => new Random(1).Shuffle(objects));
        CheckCount(Count - 3, static objects => objects[0] = objects[17] = objects[^1] = null);
        CheckCount(0, Array.Clear);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(0, Count - 1)]
    [InlineData(63, 64)]
    [InlineData(Count / 2, 0)]
    public void OneObject_InTwoPlaces_IsFound(int from, int to)
    {
        var objects = NewObjects(Count);
        objects[to] = objects[from];
        Assert.Equal(-1, DistinctObjects.CountIfAllDiffer<object>(objects));
    }

    [Fact]
    public void ObjectsFarApart_AreNotJudged()
    {
        object keptFar = new();
        object[] between = [.. Enumerable.Range(0, 64).Select(_ => new byte[64_000])];
        Assert.Equal(-1, DistinctObjects.CountIfAllDiffer<object>([keptFar, new object()]));
        GC.KeepAlive(between);
    }

    // The first and the last place hold one young object. A look that crosses a collection sees it at two addresses.
    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Fuzz")]
    public void OneObject_InTwoPlaces_IsFound_WhileTheCollectorMovesObjects()
    {
        using CancellationTokenSource isOver = new();
        Thread collecting = new(() =>
        {
            while (!isOver.IsCancellationRequested)
                GC.Collect(1, GCCollectionMode.Forced, blocking: true, compacting: true);
        });
        collecting.Start();
        var wrong = 0;
        var objects = NewObjects(10 * Count);
        for (var round = 0; round < 200; round++)
        {
            // Garbage below it makes room into which a collection moves it.
            GC.KeepAlive(new byte[1000]);
            objects[0] = objects[^1] = new object();
            wrong += DistinctObjects.CountIfAllDiffer<object>(objects) < 0 ? 0 : 1;
        }

        isOver.Cancel();
        collecting.Join();
        Assert.Equal(0, wrong);
    }

    // Nothing is told of objects that lie far apart, or that a collection moves: other tests run beside this one.
    private static void CheckCount(int expected, Action<object?[]> change)
    {
        var found = -1;
        for (var attempt = 0; found < 0 && attempt < 1000; attempt++)
        {
            var objects = NewObjects(Count);
            change(objects);
            found = DistinctObjects.CountIfAllDiffer<object>(objects);
        }

        Assert.Equal(expected, found);
    }

    private static object?[] NewObjects(int count)
    {
        var objects = new object?[count];
        for (var i = 0; i < count; i++)
            objects[i] = new object();
        return objects;
    }
}
