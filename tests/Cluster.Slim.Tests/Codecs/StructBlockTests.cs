using Cluster.Slim.Fields.Fixed;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Acceptance cases B and C: sequences of structs, copied as one block or column by column, are the fields of
/// one struct after the other, however the runtime lays them out; and values are checked wherever they lie.</summary>
[Trait("Case", "slim-B")]
public sealed class StructBlockTests
{
    // More than one piece of every struct below, and a rest of every loop that takes several at a time.
    private const int Count = 1_003;

    private readonly SlimSerializer _slim = new();

    [Fact]
    public void Sequences_AreTheFieldsOfEachStruct()
    {
        Check(static i => new Trade(i, i * 0.5, -i, i), static (w, v) => Fields(w, v.Id, v.Price, v.Amount, v.Time));
        Check(
            static i => new Padded((byte)i, i, i % 3 == 0, i),
            static (w, v) => Fields(w, v.Level, v.Number, v.Flag, v.Time));
        Check(
            static i => new Validated(i * 1.5m, DateTime.UnixEpoch.AddDays(i), new Rune('a' + i), (short)i, true, i % 2 > 0),
            static (w, v) => Fields(w, v.Price, v.When, v.Sign, v.Rest, v.First, v.Second));
        Check(
            static i => new Nested(i, new Padded(1, i, true, i), i, (i, 2L)),
            static (w, v) => Fields(
                w, v.Before, v.Inner.Level, v.Inner.Number, v.Inner.Flag, v.Inner.Time, v.After, v.Pair.A, v.Pair.B));
        Check(
            static i => new Placed { Last = i, First = (byte)i },
            static (w, v) => Fields(w, v.First, v.Last));
        Check(
            static i => new Foreign { At = DateTimeOffset.UnixEpoch.AddMinutes(i), Day = new DateOnly(1, 1, 1).AddDays(i) },
            static (w, v) => Fields(w, v.At, v.Day));
        Check(static i => (i, (byte)i, i * 2L), static (w, v) => Fields(w, v.i, v.Item2, v.Item3));
        Check(static i => new Tight { Flag = true, Number = i }, static (w, v) => Fields(w, v.Flag, v.Number));
        Check(static i => new Skipping { Number = i }, static (w, v) => Fields(w, v.Number));
        Check(static i => i % 7 == 0, static (w, v) => Fields(w, v));
        Check(static i => i * 1.25m, static (w, v) => Fields(w, v));
    }

    [Fact]
    public void Layouts_ThatMemoryAndWireShare_AreBlocks()
    {
        Assert.True(MemoryOf<Trade>().IsBlock);
        Assert.True(MemoryOf<Validated>().IsBlock);
        Assert.Equal([0, 16, 24, 28, 30, 31], MemoryOf<Validated>().Offsets);
        Assert.True(MemoryOf<Tight>().IsBlock);
        Assert.False(MemoryOf<Padded>().IsBlock);
        Assert.False(MemoryOf<Foreign>().IsBlock);
        Assert.False(MemoryOf<Skipping>().IsBlock);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Count / 2)]
    [InlineData(Count - 1)]
    public void InvalidValues_AnywhereInABlock_AreRefusedWithTheirPath(int index)
    {
        Validated[] values = [.. Enumerable.Range(0, Count).Select(i => new Validated(1, default, new Rune('a'), 0, true, true))];
        var good = _slim.Serialize(values);
        var start = good.Length - (Count * 32) + (index * 32);
        foreach ((var offset, var value, var field) in new[]
        {
            (2, (byte)29, "Price"), (23, (byte)0x3F, "When"), (25, (byte)0xD8, "Sign"), (30, (byte)2, "First"),
            (31, (byte)0xFF, "Second"),
        })
        {
            byte[] bad = [.. good];
            bad[start + offset] = value;
            var error = Assert.Throws<SlimMalformedException>(
                () => _slim.Deserialize<Validated[]>(bad));
            Assert.EndsWith($"[{index}].{field}", error.MemberPath, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Count - 1)]
    public void InvalidValues_AnywhereInAColumn_AreRefused(int index)
    {
        Padded[] values = [.. Enumerable.Range(0, Count).Select(i => new Padded(1, i, true, i))];
        var bad = _slim.Serialize(values);
        bad[bad.Length - (Count * 18) + (index * 18) + 9] = 7;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Padded[]>(bad));
        var flags = new bool[Count];
        bad = _slim.Serialize(flags);
        bad[bad.Length - Count + index] = 2;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<bool[]>(bad));
        DateTime[] dates = [.. Enumerable.Repeat(DateTime.MaxValue, Count)];
        bad = _slim.Serialize(dates);
        Assert.Equal(dates, _slim.Deserialize<DateTime[]>(bad));
        bad[bad.Length - (Count * 8) + (index * 8) + 1]++;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<DateTime[]>(bad));
    }

    [Fact]
    public void Bools_WithOtherBitsInMemory_AreWrittenAsOne()
    {
        var values = new Tight[Count];
        var flags = new bool[Count];
        MemoryMarshal.AsBytes(flags.AsSpan())[^1] = 4;
        MemoryMarshal.AsBytes(values.AsSpan())[(Count - 1) * 5] = 0x80;
        Assert.True(_slim.DeepClone(values)[^1].Flag);
        Assert.Equal(1, MemoryMarshal.AsBytes<Tight>(_slim.DeepClone(values))[(Count - 1) * 5]);
        Assert.Equal(1, MemoryMarshal.AsBytes<bool>(_slim.DeepClone(flags))[^1]);
    }

    [Fact]
    public void Gaps_AreNeitherWrittenNorLeftUninitialised()
    {
        // Large enough for the runtime to leave an array as its memory was found.
        const int LargeCount = 20_000;
        Padded[] clean = [.. Enumerable.Range(0, LargeCount).Select(i => new Padded(1, i, true, i))];
        var message = _slim.Serialize(clean);
        for (var i = 0; i < 10; i++)
        {
            Assert.Equal(message, WriteDirty(clean));
            GC.Collect();
            var back = _slim.Deserialize<Padded[]>(message);
            Assert.DoesNotContain(Enumerable.Range(0, LargeCount), at => MemoryMarshal.AsBytes(back.AsSpan())[(at * 32) + 1] != 0);
        }

        Skipping[] skipping = [new() { Number = 1, Hidden = 2, Source = "s" }, new() { Number = 3 }];
        Assert.All(_slim.DeepClone(skipping), v => Assert.Equal((0, null), (v.Hidden, v.Source)));
    }

    [Fact]
    public void FixedKinds_ThatClaimMemoryAsTheirForm_HaveIt()
    {
        CheckForm<DateTime, DateTimeKindBits>(i => new DateTime(i * 3L, (DateTimeKind)(i % 3)));
        CheckForm<decimal, DecimalKind>(i => new decimal(i, -i, i * 3, i % 2 == 0, (byte)(i % 29)));
        CheckForm<Rune, RuneKind>(i => new Rune(i));
        CheckForm<DateOnly, DateOnlyKind>(DateOnly.FromDayNumber);
        CheckForm<TimeOnly, TimeOnlyKind>(i => new TimeOnly(i));
        CheckForm<bool, BooleanKind>(i => i % 2 == 0);
        var bytes = new byte[16];
        DecimalKind.Put(ref bytes[0], -1.50m);
        Assert.Equal("00000280000000009600000000000000", Convert.ToHexString(bytes));
    }

    [Fact]
    public void Sequences_LargerThanTheMessageMayBe_AreALimit()
    {
        SlimSerializer slim = new(new SlimOptions { Limits = { MaxMessageBytes = 10_000 } });
        Assert.Throws<SlimLimitException>(() => slim.Serialize(new Trade[1_000]));
        Assert.Throws<SlimLimitException>(() => slim.Serialize(new Padded[1_000]));
        Assert.Throws<SlimLimitException>(() => slim.Serialize(new decimal[1_000]));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte[] WriteDirty(Padded[] clean)
    {
        var dirty = new Padded[clean.Length];
        MemoryMarshal.AsBytes(dirty.AsSpan()).Fill(0xAA);
        for (var i = 0; i < dirty.Length; i++)
        {
            foreach ((var offset, var count) in new[] { (0, 1), (8, 8), (16, 1), (24, 8) })
                Bytes(clean, i).Slice(offset, count).CopyTo(Bytes(dirty, i)[offset..]);
        }

        return _slim.Serialize(dirty);
    }

    private static Span<byte> Bytes(Padded[] values, int index) =>
        MemoryMarshal.AsBytes(values.AsSpan(index, 1));

    private void Check<T>(Func<int, T> make, Action<BinaryWriter, T> write)
        where T : struct
    {
        T[] values = [.. Enumerable.Range(0, Count).Select(make)];
        using MemoryStream expected = new();
        using BinaryWriter writer = new(expected);
        Array.ForEach(values, v => write(writer, v));
        foreach (var message in new[]
        {
            _slim.Serialize(values), _slim.Serialize(values.ToList()), _slim.Serialize(new Queue<T>(values)),
        })
            Assert.Equal(expected.ToArray(), message[(int)(message.Length - expected.Length)..]);
        Assert.Equal(values, _slim.DeepClone(values));
        Assert.Equal(values, _slim.DeepClone(values.ToList()));
        Assert.Equal(values, _slim.DeepClone(new Holder<T> { Before = 1, Value = values[7], Values = values }).Values!);
        Assert.Equal(values[7], _slim.DeepClone(new Holder<T> { Value = values[7] }).Value);
        Assert.Equal(values[7], _slim.DeepClone(new Holder<T?> { Value = values[7] }).Value);
        T[,] grid = { { values[1], values[2], values[3] }, { values[4], values[5], values[6] } };
        Assert.Equal(grid, _slim.DeepClone(grid));
    }

    private static void CheckForm<T, TKind>(Func<int, T> make)
        where T : unmanaged
        where TKind : struct, IFixedKind<T>
    {
        Assert.Equal(TKind.Bytes, Unsafe.SizeOf<T>());
        Assert.NotEqual(FixedForm.Converted, TKind.Form);
        for (var i = 0; i < Count; i++)
        {
            var value = make(i);
            var bytes = new byte[TKind.Bytes];
            TKind.Put(ref bytes[0], value);
            Assert.Equal(MemoryMarshal.AsBytes(new ReadOnlySpan<T>(ref value)), bytes);
        }
    }

    private static StructMemory<T> MemoryOf<T>()
        where T : struct
    {
        var serializer = (IFixedFieldSerializer)new SlimSerializer().Engine.Serializers.FieldSerializerOf<T>();
        return new StructMemory<T>([.. serializer.Parts], serializer.Bytes);
    }

    private static void Fields(BinaryWriter writer, params object[] values)
    {
        foreach (var value in values)
            writer.Write(value switch
            {
                byte v => [v],
                bool v => [v ? (byte)1 : (byte)0],
                short v => BitConverter.GetBytes(v),
                int v => BitConverter.GetBytes(v),
                long v => BitConverter.GetBytes(v),
                double v => BitConverter.GetBytes(v),
                DateTime v => BitConverter.GetBytes(v.Ticks | ((long)v.Kind << 62)),
                Rune v => BitConverter.GetBytes(v.Value),
                DateOnly v => BitConverter.GetBytes(v.DayNumber),
                DateTimeOffset v => [.. BitConverter.GetBytes(v.Ticks), .. BitConverter.GetBytes((short)v.TotalOffsetMinutes)],
                decimal v => DecimalBytes(v),
                _ => throw new ArgumentException(value.GetType().Name, nameof(values)),
            });
    }

    private static byte[] DecimalBytes(decimal value)
    {
        var bits = decimal.GetBits(value);
        return [.. new[] { bits[3], bits[2], bits[0], bits[1] }.SelectMany(BitConverter.GetBytes)];
    }

    private readonly record struct Trade(long Id, double Price, double Amount, long Time);

    private readonly record struct Padded(byte Level, long Number, bool Flag, long Time);

    private readonly record struct Validated(
        decimal Price, DateTime When, Rune Sign, short Rest, bool First, bool Second);

    private readonly record struct Nested(int Before, Padded Inner, int After, (int A, long B) Pair);

    [StructLayout(LayoutKind.Explicit)]
    private struct Placed
    {
        [FieldOffset(8)] public long Last;
        [FieldOffset(0)] public byte First;
    }

    [StructLayout(LayoutKind.Auto)]
    private record struct Foreign
    {
        public DateTimeOffset At;
        public DateOnly Day;
    }

    [StructLayout(LayoutKind.Sequential, Pack = 1)]
    private struct Tight
    {
        public bool Flag;
        public int Number;
    }

    private struct Skipping
    {
        [NonSerialized] public int Hidden;
        public long Number;
        [NonSerialized] public string? Source;
    }

    private sealed class Holder<T>
    {
        public int Before;
        public T? Value;
        public T[]? Values;
    }
}
