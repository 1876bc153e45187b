using Cluster.Pile.Caching;
using Cluster.Slim;

namespace Cluster.Pile.Tests.Caching;

/// <summary>The contract of a cache table, beside time, memory and races.</summary>
public sealed class CacheTableTests : IDisposable
{
    private readonly Caches _caches = new();

    public void Dispose() => _caches.Dispose();

    [Fact]
    [Trait("Case", "pile-21")]
    public void PutGetRemove_SayWhatTheyDid()
    {
        var people = _caches.Create<long, Person>();
        var ada = new Person("Ada", 36);
        Assert.Equal(PutResult.Inserted, people.Put(1, ada));
        Assert.Equal(PutResult.Replaced, people.Put(1, ada with { Age = 37 }));
        Assert.Equal(PutResult.Inserted, people.Put(2, ada));
        Assert.Equal(2, people.Count);
        Assert.True(people.TryGet(1, out var found));
        Assert.Equal(new Person("Ada", 37), found);
        Assert.True(people.TryGet(1, out var again));
        Assert.NotSame(found, again);
        Assert.False(people.TryGet(3, out _));
        Assert.True(people.Remove(1));
        Assert.False(people.Remove(1));
        Assert.False(people.TryGet(1, out _));
        Assert.Equal(1, people.Count);
        Assert.Equal(PutResult.Inserted, people.Put(1, ada));
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void Values_OfEveryForm_ComeBack()
    {
        var texts = _caches.Create<int, string>(name: "texts");
        string[] values = ["", "plain", "\u00FF", "\u0100", "😀\uD800", new('x', 5000), new('\u4E2D', 5000)];
        for (var i = 0; i < values.Length; i++)
            texts.Put(i, values[i]);
        for (var i = 0; i < values.Length; i++)
        {
            Assert.True(texts.TryGet(i, out var text));
            Assert.Equal(values[i], text);
        }

        var bytes = _caches.Create<int, byte[]>(name: "bytes");
        int[] lengths = [0, 1, 7, 8, 9, 511, 512, 513, 100_000];
        foreach (var length in lengths)
            bytes.Put(length, Piles.Payload(3, length));
        foreach (var length in lengths)
        {
            Assert.True(bytes.TryGet(length, out var value));
            Assert.Equal(length, value!.Length);
            Assert.True(Piles.IsPayload(value, 3));
        }

        var graphs = _caches.Create<int, object>(name: "objects");
        graphs.Put(1, new List<Person> { new("A", 1), new("B", 2) });
        graphs.Put(2, "text");
        Assert.True(graphs.TryGet(1, out var list));
        Assert.Equal([new("A", 1), new("B", 2)], Assert.IsType<List<Person>>(list));
        Assert.True(graphs.TryGet(2, out var plain));
        Assert.Equal("text", plain);
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void WhatCannotBeCarried_IsRefused_AndChangesNothing()
    {
        var table = _caches.Create<int, object>();
        table.Put(1, "kept");
        Assert.ThrowsAny<SlimException>(() => table.Put(1, new ReaderWriterLockSlim()));
        Assert.True(table.TryGet(1, out var kept));
        Assert.Equal("kept", kept);
        Assert.Throws<ArgumentNullException>(() => table.Put(1, (object)null!));
    }

    [Fact]
    public void Spans_GoInAndOut_WithoutAllocation()
    {
        var table = _caches.Create<long, byte[]>();
        var value = Piles.Payload(9, 300);
        var buffer = new byte[400];
        var failed = 0;
        Assert.Equal(0, Piles.AllocatedBytes(() =>
        {
            for (var i = 0; i < 1000; i++)
            {
                table.Put(i % 10, value.AsSpan());
                failed += table.TryRead(i % 10, buffer, out var length) && length == 300 ? 0 : 1;
            }
        }));
        Assert.Equal(0, failed);
        Assert.True(Piles.IsPayload(buffer.AsSpan(0, 300), 9));
    }

    [Fact]
    public void Read_IntoTooLittle_TellsTheLength()
    {
        var table = _caches.Create<string, byte[]>();
        table.Put("a", Piles.Payload(1, 100).AsSpan());
        Assert.True(table.TryRead("a", new byte[10], out var length));
        Assert.Equal(100, length);
        Assert.True(table.TryRead("a", default, out length));
        Assert.Equal(100, length);
        Assert.False(table.TryRead("b", new byte[10], out length));
        Assert.Equal(0, length);
    }

    [Fact]
    public void Bytes_PutIntoATableOfOthers_AreRefused()
    {
        var table = _caches.Create<int, string>();
        Assert.Throws<InvalidOperationException>(() => table.Put(1, "x"u8));
        Assert.Equal(0, table.Count);
    }

    [Fact]
    public void Many_AreFoundInOrder()
    {
        var table = _caches.Create<int, string>();
        for (var i = 0; i < 100; i += 2)
            table.Put(i, $"{i}");
        var results = new string?[100];
        Assert.Equal(50, table.GetMany([.. Enumerable.Range(0, 100)], results));
        for (var i = 0; i < 100; i++)
            Assert.Equal(i % 2 == 0 ? $"{i}" : null, results[i]);
        Assert.Throws<ArgumentException>(() => table.GetMany([1, 2], new string?[1]));
    }

    [Fact]
    public void Many_AreReadOneBehindAnother()
    {
        CheckReadMany(_caches.Create<long, byte[]>(name: "integers"), number => number);
        CheckReadMany(_caches.Create<string, byte[]>(name: "texts"), number => $"{number}");
    }

    [Fact]
    public void Many_ReadIntoTooLittle_GoOnWhereTheyStopped()
    {
        var table = _caches.Create<int, byte[]>();
        for (var key = 1; key <= 100; key++)
            table.Put(key, Piles.Payload((ulong)key, key).AsSpan());
        int[] keys = [.. Enumerable.Range(1, 100)];
        var lengths = new int[100];
        var done = 0;
        while (done < keys.Length)
        {
            var buffer = new byte[150];
            var read = table.ReadMany(keys.AsSpan(done), buffer, lengths.AsSpan(done));
            var at = 0;
            for (var i = done; i < done + read; at += lengths[i], i++)
                Assert.True(Piles.IsPayload(buffer.AsSpan(at, lengths[i]), (ulong)keys[i]));
            done += read;
            if (done < keys.Length)
                Assert.True(at + lengths[done] > buffer.Length && lengths[done] == keys[done]);
        }

        Assert.Equal(0, table.ReadMany([100], new byte[99], lengths));
        Assert.Equal(100, lengths[0]);
        Assert.Throws<ArgumentException>(() => table.ReadMany([1, 2], new byte[200], new int[1]));
    }

    [Fact]
    public void Many_Read_AllocateNothing()
    {
        var table = _caches.Create<long, byte[]>();
        for (var key = 0; key < 64; key++)
            table.Put(key, Piles.Payload((ulong)key, 64).AsSpan());
        long[] keys = [.. Enumerable.Range(0, 64)];
        var (buffer, lengths) = (new byte[64 * 64], new int[64]);
        var done = 0;
        Assert.Equal(0, Piles.AllocatedBytes(() => done = table.ReadMany(keys, buffer, lengths)));
        Assert.Equal(64, done);
    }

    [Fact]
    public void Read_OfAnOwnedObjectUnderAnInteger_GivesTheBytesOfTheObject()
    {
        var table = _caches.Create<long, byte[]>();
        table.PutPointer(1, _caches.Pile.Put(Piles.Payload(1, 100).AsSpan()));
        var buffer = new byte[100];
        Assert.True(table.TryRead(1, buffer, out var length));
        Assert.Equal(100, length);
        Assert.True(Piles.IsPayload(buffer, 1));
    }

    [Fact]
    public void Enumeration_MeetsEveryEntryOnce_AndClearEndsThem()
    {
        var table = _caches.Create<int, string>();
        for (var i = 0; i < 10_000; i++)
            table.Put(i, $"{i}");
        var met = table.Enumerate().ToDictionary(entry => entry.Key, entry => entry.Value);
        Assert.Equal(10_000, met.Count);
        Assert.All(met, entry => Assert.Equal($"{entry.Key}", entry.Value));
        table.Clear();
        Assert.Equal(0, table.Count);
        Assert.Empty(table.Enumerate());
        Assert.Equal(PutResult.Inserted, table.Put(1, "again"));
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void Pointer_IsOwned_FromThePutToTheEndOfItsEntry()
    {
        var table = _caches.Create<int, Person>();
        var pile = _caches.Pile;
        var pointer = pile.Put(new Person("Ada", 36));
        Assert.Equal(PutResult.Inserted, table.PutPointer(1, pointer));
        Assert.True(table.TryGetPointer(1, out var found));
        Assert.Equal(pointer, found);
        pile.Put(pointer, new Person("Ada", 37));
        Assert.True(table.TryGet(1, out var person));
        Assert.Equal(37, person!.Age);
        Assert.True(table.TryRead(1, new byte[1000], out var length));
        Assert.Equal(pile.SizeOf(pointer), length);

        table.Put(1, new Person("Bea", 1));
        Assert.Throws<InvalidPilePointerException>(() => pile.SizeOf(pointer));
        Assert.False(table.TryGetPointer(1, out _));

        var second = pile.Put(new Person("Cat", 2));
        table.PutPointer(2, second, absoluteExpiration: _caches.Clock.GetUtcNow().AddHours(1));
        Assert.True(table.Refresh(2));
        Assert.True(table.TryGetPointer(2, out found));
        Assert.Equal(second, found);
        Assert.True(table.Remove(2));
        Assert.Throws<InvalidPilePointerException>(() => pile.SizeOf(second));

        var third = pile.Put(new Person("Dan", 3));
        table.PutPointer(3, third);
        table.Clear();
        Piles.CheckEmpty(pile);
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void Pointer_UnderAView_EndsAfterTheView()
    {
        var table = _caches.Create<int, byte[]>();
        var pile = _caches.Pile;
        var (removed, replaced) = (pile.Put(Piles.Payload(1, 50)), pile.Put(Piles.Payload(2, 50)));
        table.PutPointer(1, removed);
        table.PutPointer(2, replaced);
        using (var first = pile.OpenView(removed))
        using (var second = pile.OpenView(replaced))
        {
            Assert.True(table.Remove(1));
            Assert.Equal(PutResult.Replaced, table.Put(2, [1, 2, 3]));
            Assert.True(Piles.IsPayload(first.Span, 1) && Piles.IsPayload(second.Span, 2));
        }

        pile.Compact();
        Piles.CheckEmpty(pile);
        Assert.True(table.TryGet(2, out var value));
        Assert.Equal([1, 2, 3], value);
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void Pointer_ThatNamesNothing_IsRefused_OrLeadsNowhere()
    {
        var table = _caches.Create<int, Person>();
        var pointer = _caches.Pile.Put(new Person("Ada", 36));
        table.PutPointer(1, pointer);
        table.PutPointer(2, pointer);
        Assert.True(table.Remove(1));
        Assert.False(table.TryGet(2, out _));
        Assert.False(table.TryRead(2, new byte[100], out _));
        Assert.Throws<InvalidPilePointerException>(() => table.PutPointer(3, pointer));
        Assert.True(table.Remove(2));
    }

    [Fact]
    public void Statistics_CountWhatHappened()
    {
        var table = _caches.Create<int, string>();
        table.Put(1, "a");
        table.Put(1, "b");
        table.Put(2, "c");
        table.TryGet(1, out _);
        table.TryGet(9, out _);
        table.TryRead(2, new byte[9], out _);
        table.GetOrAdd(3, _ => "d");
        table.Remove(1);
        table.Remove(1);
        var statistics = table.GetStatistics();
        Assert.Equal(2, statistics.Entries);
        Assert.Equal((3, 1), (statistics.Inserts, statistics.Replacements));
        Assert.Equal((2, 2), (statistics.Hits, statistics.Misses));
        Assert.Equal((1, 0), (statistics.Removals, statistics.Refusals));
        Assert.Equal(0.5, statistics.HitRatio);
        Assert.Equal(0, statistics.Loads);
        Assert.InRange(statistics.Bytes, 1, _caches.Pile.GetStatistics().BudgetBytes);
    }

    [Fact]
    public void Arguments_OutOfRange_AreRefused()
    {
        var table = _caches.Create<string, string>();
        Assert.Throws<ArgumentNullException>(() => table.Put(null!, ""));
        Assert.Throws<ArgumentNullException>(() => table.TryGet(null!, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => table.Put("a", "", priority: -1));
        Assert.Throws<ArgumentOutOfRangeException>(() => table.Put("a", "", priority: 8));
        Assert.Throws<ArgumentOutOfRangeException>(() => table.Put("a", "", maxAge: TimeSpan.Zero));
        Assert.Throws<ArgumentOutOfRangeException>(() => table.Put("a", "", maxAge: TimeSpan.FromDays(365 * 7)));
        Assert.Throws<ArgumentOutOfRangeException>(
            () => table.Put("a", "", absoluteExpiration: DateTimeOffset.MaxValue));
        Assert.Throws<ArgumentException>(() => table.Put(new string('x', 5000), ""));
        Assert.Throws<ArgumentNullException>(() => table.GetOrAdd("a", null!));
        Assert.Equal(0, table.Count);
        Assert.Equal(PutResult.Inserted, table.Put(new string('x', 4000), "long"));
        Assert.True(table.TryGet(new string('x', 4000), out _));
    }

    [Fact]
    public void Table_OfADisposedPile_Throws()
    {
        var table = _caches.Create<int, string>();
        _caches.Pile.Dispose();
        Assert.Throws<ObjectDisposedException>(() => table.Put(1, ""));
        Assert.Throws<ObjectDisposedException>(() => table.TryGet(1, out _));
        Assert.Throws<ObjectDisposedException>(() => table.TryRead(1, default, out _));
        Assert.Throws<ObjectDisposedException>(() => table.Remove(1));
        Assert.Throws<ObjectDisposedException>(table.GetStatistics);
        Assert.Throws<ObjectDisposedException>(() => _caches.Create<int, string>(name: "other"));
    }

    private static void CheckReadMany<TKey>(CacheTable<TKey, byte[]> table, Func<int, TKey> keyOf)
        where TKey : notnull
    {
        for (var number = 0; number < 100; number += 2)
            table.Put(keyOf(number), Piles.Payload((ulong)number, 10 + number).AsSpan());
        TKey[] keys = [.. Enumerable.Range(0, 100).Select(keyOf)];
        var (buffer, lengths) = (new byte[50 * 110], new int[100]);
        Assert.Equal(100, table.ReadMany(keys, buffer, lengths));
        var at = 0;
        for (var number = 0; number < 100; number++)
        {
            Assert.Equal(number % 2 == 0 ? 10 + number : -1, lengths[number]);
            if (lengths[number] < 0)
                continue;
            Assert.True(Piles.IsPayload(buffer.AsSpan(at, lengths[number]), (ulong)number));
            at += lengths[number];
        }

        Assert.Equal((50, 50), (table.GetStatistics().Hits, table.GetStatistics().Misses));
    }

    public sealed record Person(string Name, int Age);

    /// <summary>For an array the compiler prefers the method that takes a span, also in a table of anything.</summary>
    [Fact]
    [Trait("Case", "repair-D")]
    public void Bytes_InATableOfAnything_ComeBackAsAnArray()
    {
        using var pile = Piles.Create();
        var cache = new PileCache(pile);
        byte[] bytes = [1, 2, 3];
        var objects = cache.GetOrCreateTable<int, object>("objects");
        Assert.Equal(PutResult.Inserted, objects.Put(1, bytes));
        Assert.Equal(PutResult.Inserted, objects.Put(2, (object)bytes));
        objects.Put(3, "text");
        objects.Put(4, bytes, priority: 1, maxAge: TimeSpan.FromHours(1));
        foreach (var key in (int[])[1, 2, 4])
            Assert.Equal(bytes, Assert.IsType<byte[]>(objects.TryGet(key, out var found) ? found : null));
        Assert.Equal("text", objects.TryGet(3, out var text) ? text : null);
        var lists = cache.GetOrCreateTable<int, IReadOnlyList<byte>>("lists");
        lists.Put(1, bytes);
        Assert.Equal(bytes, lists.TryGet(1, out var list) ? list : null);
        var texts = cache.GetOrCreateTable<int, string>("texts");
        Assert.Throws<InvalidOperationException>(() => texts.Put(1, bytes));
    }
}
