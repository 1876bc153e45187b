using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Messages;

/// <summary>The tables of objects by reference and by handle, at sizes where they rent their memory.</summary>
public sealed class IdentityTableTests
{
    private readonly IdentityTable _table = new();

    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(32)]
    [InlineData(33)]
    [InlineData(4096)]
    [InlineData(4097)]
    [InlineData(100_000)]
    public void Objects_OfAnyNumber_KeepTheirHandles(int count)
    {
        object[] objects = [.. Enumerable.Range(0, count).Select(static _ => new object())];
        for (var round = 0; round < 3; round++)
        {
            for (var i = 0; i < count; i++)
                Assert.Equal(-1, _table.FindOrAdd(objects[i]));
            for (var i = 0; i < count; i++)
            {
                Assert.Equal(i, _table.Find(objects[i]));
                Assert.Equal(i, _table.FindOrAdd(objects[i]));
            }

            Assert.Equal(-1, _table.Find(new object()));
            Assert.Equal(count, _table.Count);
            _table.Clear();
            Assert.Equal(-1, _table.Find(objects[0]));
            DirtyTheSharedArrays();
        }
    }

    [Fact]
    public void Skip_TakesAHandleThatNothingHas()
    {
        object[] objects = [.. Enumerable.Range(0, 5000).Select(static _ => new object())];
        foreach (var value in objects)
        {
            _table.Skip();
            Assert.Equal(-1, _table.FindOrAdd(value));
        }

        for (var i = 0; i < objects.Length; i++)
            Assert.Equal((2 * i) + 1, _table.Find(objects[i]));
    }

    [Fact]
    public void LongArray_GivenBack_IsEmpty()
    {
        var array = TableArrays<object>.New(TableArrays<object>.OwnLengthMax + 1);
        Array.Fill(array, this);
        var grown = TableArrays<object>.Grown(array, array.Length, array.Length * 2);
        Assert.All(array, Assert.Null);
        Assert.All(grown.AsSpan(0, array.Length).ToArray(), value => Assert.Same(this, value));
        TableArrays<object>.GiveBack(grown, array.Length);
        Assert.All(grown, Assert.Null);
    }

    // What others leave in arrays that everybody rents.
    private static void DirtyTheSharedArrays()
    {
        uint[][] rented = [.. Enumerable.Range(10, 12).Select(static bits => ArrayPool<uint>.Shared.Rent(1 << bits))];
        foreach (var array in rented)
        {
            Array.Fill(array, uint.MaxValue);
            ArrayPool<uint>.Shared.Return(array);
        }
    }
}
