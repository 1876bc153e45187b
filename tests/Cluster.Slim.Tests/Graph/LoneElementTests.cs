using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Graph;

/// <summary>Lists whose elements are not remembered come back as they were, and have the bytes they always
/// had.</summary>
[Trait("Case", "repair-E")]
public sealed class LoneElementTests
{
    private const int Count = 1_000;

    private readonly SlimSerializer _slim = new();

    [Fact]
    public void ElementsThatDiffer_HaveTheBytes_OfAWriterThatRemembersThem()
    {
        CheckSameBytes(NewItems());
        CheckSameBytes(NewItems().ToArray());
        CheckSameBytes(new Holder { Before = "a", Items = NewItems(), After = [1, 2] });
        List<Item?> withNulls = [.. NewItems()];
        withNulls[3] = withNulls[^1] = null;
        CheckSameBytes(withNulls);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(0, Count - 1)]
    [InlineData(Count - 2, 500)]
    public void ElementInTwoPlaces_StaysOneObject(int from, int to)
    {
        var items = NewItems();
        items[to] = items[from];
        CheckSameBytes(items);
        var back = _slim.DeepClone(items);
        Assert.Same(back[from], back[to]);
        Assert.Equal(Count - 1, back.Distinct<object>(ReferenceEqualityComparer.Instance).Count());
    }

    // What follows the elements is still found by its number.
    [Fact]
    public void ObjectsAfterTheElements_KeepTheirNumbers()
    {
        Holder holder = new() { Items = NewItems(), More = [new Other { Number = 1 }, new Other { Number = 2 }] };
        holder.More[1] = holder.More[0];
        CheckSameBytes(holder);
        var back = _slim.DeepClone(holder);
        Assert.Same(back.More![0], back.More[1]);
        Assert.Equal(Count - 1, back.Items![^1].Number);
    }

    [Fact]
    public void GraphsWithSharedElements_ComeBack_WhileTheCollectorRuns()
    {
        using CancellationTokenSource isOver = new();
        Thread collecting = new(() =>
        {
            while (!isOver.IsCancellationRequested)
                GC.Collect(1, GCCollectionMode.Forced, blocking: true, compacting: true);
        });
        collecting.Start();
        var wrong = 0;
        for (var round = 0; round < 60; round++)
        {
            var items = NewItems();
            items[^1] = items[0];
            var back = _slim.DeepClone(items);
            wrong += ReferenceEquals(back[0], back[^1]) ? 0 : 1;
        }

        isOver.Cancel();
        collecting.Join();
        Assert.Equal(0, wrong);
    }

    private static List<Item> NewItems() => [.. Enumerable.Range(0, Count).Select(i => new Item { Number = i })];

    private void CheckSameBytes<T>(T value)
    {
        var first = _slim.Serialize(value);
        Assert.NotNull(_slim.Engine.Roots.Of<T>().Lead!.LoneElements);
        Assert.Equal(first, _slim.Serialize(value));
        SlimMessageWriter remembering = new(_slim);
        ArrayBufferWriter<byte> output = new();
        remembering.Begin(output);
        remembering.Write(value);
        remembering.Complete();
        Assert.Equal(first, output.WrittenSpan.ToArray());
    }

    private sealed class Item
    {
        public int Number { get; set; }

        public string? Name { get; set; }
    }

    private sealed class Other
    {
        public int Number { get; set; }
    }

    private sealed class Holder
    {
        public string? Before { get; set; }

        public List<Item>? Items { get; set; }

        public int[]? After { get; set; }

        public Other[]? More { get; set; }
    }
}
