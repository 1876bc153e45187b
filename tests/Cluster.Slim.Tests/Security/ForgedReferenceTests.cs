using System.Collections.Frozen;

namespace Cluster.Slim.Tests.Security;

/// <summary>References where no writer puts them: to a value itself, to objects of other types, to unfinished
/// ones.</summary>
[Trait("Case", "slim-M")]
public sealed class ForgedReferenceTests
{
    private const byte FirstObject = 3;

    private readonly SlimSerializer _slim = new(new SlimOptions().Allow<Loop>().Allow<TypedLoop>().Allow<Leaf>());

    /// <summary>A value has no handle of its own, unless it is a box, so nothing can refer to it.</summary>
    [Fact]
    public void Struct_ThatRefersToItself_IsRefusedInEveryPlace()
    {
        CheckReference(new Loop(), handle: 0);
        CheckReference(new Loop[1], handle: 1);
        CheckReference(new List<Loop> { default }, handle: 1);
        CheckReference(new Holder { Maybe = default(Loop) }, handle: 1);
        CheckReference(new Dictionary<int, Loop> { [1] = default }, handle: 1);
        CheckReference(Tuple.Create(default(Loop)), handle: 1);
        CheckReference(new KeyValuePair<int, Loop>(1, default), handle: 0);
    }

    [Fact]
    public void BoxedStruct_ThatRefersToItself_IsTheBoxAgain()
    {
        var box = _slim.Deserialize<object>(Refer(_slim.Serialize<object>(default(Loop)), 0));
        Assert.Same(box, Assert.IsType<Loop>(box).Any);
        var boxes = _slim.Deserialize<object?[]>(Refer(_slim.Serialize<object?[]>([default(Loop)]), 1));
        Assert.Same(boxes[0], Assert.IsType<Loop>(boxes[0]).Any);
        CheckRefused<object>(Refer(_slim.Serialize<object>(default(Loop)), 1));
        CheckRefused<object?[]>(Refer(_slim.Serialize<object?[]>([default(Loop)]), 2));
    }

    /// <summary>A box is no object of a class, whatever its value refers to.</summary>
    [Fact]
    public void BoxedStruct_InAPlaceOfAnotherType_IsRefused() => CheckReference<object>(new TypedLoop(), handle: 0);

    [Fact]
    public void Reference_ToAnObjectOfAnotherType_IsRefused()
    {
        CheckReference(new Holder { Maybe = default(Loop), Leaf = null }, handle: 0, fromEnd: 3);
        CheckReference(new Leaf?[1], handle: 0);
        CheckReference(new List<Leaf?> { null }, handle: 0);
        CheckReference(new Dictionary<int, Leaf?> { [1] = null }, handle: 0);
        CheckReference(new Queue<Leaf?>([null]), handle: 0);
        CheckReference(new SortedDictionary<int, Leaf?> { [1] = null }, handle: 0);
        CheckReference(Tuple.Create<Leaf?>(null), handle: 0);
        CheckReference(new int[]?[1], handle: 0);
        CheckReference(new IComparable?[1], handle: 0);
        CheckReference(ImmutableArray.Create<Leaf?>([null]), handle: 1);
    }

    [Fact]
    public void Reference_ToAnObjectThatIsNotFinished_IsRefused()
    {
        CheckReference(ImmutableList.Create<object?>([null]), handle: 0);
        CheckReference(ImmutableQueue.Create<object?>([null]), handle: 0);
        CheckReference(ImmutableStack.Create<object?>([null]), handle: 0);
        CheckReference(ImmutableDictionary<int, object?>.Empty.Add(1, null), handle: 0);
        CheckReference(ImmutableSortedDictionary<int, object?>.Empty.Add(1, null), handle: 0);
        CheckReference(new Dictionary<int, object?> { [1] = null }.ToFrozenDictionary(), handle: 0);
        CheckReference(ImmutableList.Create(default(Loop)), handle: 0);
        CheckReference(ImmutableList.Create<object>(default(Loop)), handle: 0);
    }

    /// <summary>References go back only: neither forward nor beyond what a number can hold.</summary>
    [Theory]
    [InlineData(1u)]
    [InlineData(2u)]
    [InlineData(1000u)]
    [InlineData(int.MaxValue - 3u)]
    [InlineData(int.MaxValue - 2u)]
    [InlineData(uint.MaxValue - 3u)]
    public void Reference_ToAnObjectThatDoesNotExist_IsRefused(uint handle)
    {
        var message = _slim.Serialize(new object?[1]);
        CheckRefused<object?[]>(Fuzzing.Forge.After(message, 1).Number(handle + FirstObject).Done());
    }

    // The head of the reference stands in place of a null.
    private static byte[] Refer(byte[] message, byte handle, int fromEnd = 1)
    {
        byte[] forged = [.. message];
        Assert.Equal(0, forged[^fromEnd]);
        forged[^fromEnd] = (byte)(FirstObject + handle);
        return forged;
    }

    private void CheckReference<T>(T value, byte handle, int fromEnd = 1)
    {
        var message = _slim.Serialize(value);
        Assert.NotNull(_slim.Deserialize<T>(message));
        CheckRefused<T>(Refer(message, handle, fromEnd));
        Assert.NotNull(_slim.Deserialize<T>(message));
    }

    private void CheckRefused<T>(byte[] forged)
    {
        var error = Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<T>(forged));
        Assert.True(error.Site is not null, $"{typeof(T)}: no rule refused it: {error}");
    }

    private struct Loop
    {
        public object? Any { get; init; }
    }

    private struct TypedLoop
    {
        public Leaf? Leaf { get; init; }
    }

    private sealed class Leaf;

    // In the order of the message: the leaf, then the optional value.
    private sealed class Holder
    {
        public Leaf? Leaf { get; init; }
        public Loop? Maybe { get; init; }
    }
}
