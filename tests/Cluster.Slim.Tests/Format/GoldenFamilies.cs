using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Drawing;
using System.Dynamic;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Format;

/// <summary>More messages whose bytes are a promise: one for each family of types and each way to write.</summary>
internal static class GoldenFamilies
{
    private static readonly SlimSerializer Slim = new(new SlimOptions()
        .Allow(typeof(uint).MakeArrayType(1)).Allow<TimeZoneInfo>().Allow<Encoding>().AddCodec(new MarkCodec()));

    public static readonly Dictionary<string, (Func<byte[]> Write, Action<byte[]> Check)> All = new()
    {
        ["numbers"] = Same(new object[]
        {
            (byte)1, (sbyte)-1, (short)-2, (ushort)2, 3u, -4L, 4UL, (Int128)(-5), (UInt128)5, (Half)0.5, 0.25f, -0.0,
            'c', true, BigInteger.Pow(-3, 50), new Complex(1, -1), new Rune('r'), new Index(1), 1..^1,
        }),
        ["times"] = Same(new object[]
        {
            new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Local), new DateTime(2026, 1, 2), TimeSpan.FromTicks(-1),
            new DateOnly(2026, 1, 2), new TimeOnly(3, 4, 5),
        }),
        ["values"] = Same(new object[]
        {
            CultureInfo.GetCultureInfo("de-DE"), CultureInfo.InvariantCulture, TimeZoneInfo.Utc, Encoding.Latin1,
        }),
        ["drawing"] = Same((Color.Red, Color.FromArgb(1, 2, 3, 4), Color.FromName("own"), new Rectangle(1, 2, 3, 4))),
        ["enums"] = Same(new Enums(Small.A, (Wide)99, Wide.B)),
        ["builder"] = Of(static () => new StringBuilder("ab"), static back => Assert.Equal("ab", back.ToString())),
        ["bits"] = Same(new BitArray([true, false, true])),
        ["struct-nullables"] = Same(new[] { new Both(1, null), new Both(null, "b"), default }),
        ["struct-overlaid"] = Of(static () => new Overlaid { Real = 1.5 }, static back => Assert.Equal(1.5, back.Real)),
        ["inline-array"] = Of(static () => RowOf("a", "b"), static back => Assert.Equal(("a", "b"), (back[0], back[1]))),
        ["array-jagged"] = Same(new int[]?[] { [1], null, [] }),
        ["array-bounds"] = Of<object>(Shifted, static back => Assert.Equal(7u, ((Array)back).GetValue(3))),
        ["array-covariant"] = Of<object[]>(static () => (string[])["a"], static back => Assert.IsType<string[]>(back)),
        ["shared-box"] = Of(SharedBox, static back => Assert.Same(back[0], back[1])),
        ["roots"] = (WriteRoots, CheckRoots),
        ["queue"] = Same(new Queue<int>([1, 2])),
        ["stack"] = Same(new Stack<int>([1, 2])),
        ["linked"] = Same(new LinkedList<string>(["a", "b"])),
        ["priority"] = Of(
            static () => new PriorityQueue<string, int>([("b", 2), ("a", 1)]),
            static back => Assert.Equal("a", back.Dequeue())),
        ["concurrent"] = Same(new ConcurrentQueue<int>([1, 2])),
        ["frozen"] = Of(static () => new[] { 1 }.ToFrozenSet(), static back => Assert.Equal([1], back)),
        ["immutable-map"] = Same(ImmutableSortedDictionary<string, int>.Empty.Add("b", 2).Add("a", 1)),
        ["many-keys"] = Of(
            static () => Enumerable.Range(0, 150).ToDictionary(i => "key " + i),
            static back => Assert.All(Enumerable.Range(0, 150), i => Assert.Equal(i, back["key " + i]))),
        ["object-keys"] = Of(
            static () => (
                new Dictionary<Key, int> { [new("a", 1)] = 1, [new("b", 2)] = 2 }, new HashSet<Tagged> { new(), new() }),
            static back =>
            {
                Assert.Equal((1, 2), (back.Item1[new("a", 1)], back.Item1[new("b", 2)]));
                Assert.All(back.Item2.ToArray(), item => Assert.Contains(item, back.Item2));
                Assert.Equal(2, back.Item2.Count);
            }),
        ["derived-list"] = Of(
            static () => new Tagged { 1, 2 }, static back => Assert.Equal(("tag", 3), (back.Tag, back.Sum()))),
        ["view"] = Same(new ReadOnlyCollection<int>([1, 2])),
        ["hashtable"] = Of(static () => new Hashtable { ["a"] = 1 }, static back => Assert.Equal(1, back["a"])),
        ["expando"] = Of(NewExpando, static back => Assert.Equal(1, back.Single(p => p.Key == "a").Value)),
        ["memory"] = Of(
            static () => new byte[] { 1, 2, 3 }.AsMemory(1), static back => Assert.Equal([2, 3], back.ToArray())),
        ["codec"] = Same(new Mark("m")),
        ["session-1"] = (static () => WriteSession()[0], static bytes => ReadSession(bytes, WriteSession()[1])),
        ["session-2"] = (static () => WriteSession()[1], static bytes => ReadSession(WriteSession()[0], bytes)),
    };

    private static (Func<byte[]> Write, Action<byte[]> Check) Same<T>(T value) =>
        Of(() => value, back => Assert.Equal(value, back));

    private static (Func<byte[]> Write, Action<byte[]> Check) Of<T>(Func<T> make, Action<T> check) =>
        (() => Slim.Serialize(make()), bytes => check(Slim.Deserialize<T>(bytes)));

    private static Row RowOf(string first, string second)
    {
        Row row = default;
        row[0] = first;
        row[1] = second;
        return row;
    }

    private static Array Shifted()
    {
        var shifted = Array.CreateInstance(typeof(uint), [3], [2]);
        shifted.SetValue(7u, 3);
        return shifted;
    }

    private static object[] SharedBox()
    {
        object box = 5;
        return [box, box];
    }

    private static ExpandoObject NewExpando()
    {
        ExpandoObject expando = new();
        expando.TryAdd("a", 1);
        return expando;
    }

    private static byte[] WriteRoots()
    {
        ArrayBufferWriter<byte> output = new();
        Mark shared = new("s");
        Slim.SerializeRoots(output, shared, 5, null, new List<Mark> { shared });
        return output.WrittenSpan.ToArray();
    }

    private static void CheckRoots(byte[] message)
    {
        var back = Slim.DeserializeRoots(
            new(message), [typeof(Mark), typeof(int), typeof(string), typeof(List<Mark>)]);
        Assert.Same(back[0], ((List<Mark>)back[3]!)[0]);
        Assert.Equal((5, null), (back[1], back[2]));
    }

    private static byte[][] WriteSession()
    {
        using var session = Slim.OpenWriterSession();
        return [.. new[] { new Both(1, "first"), new Both(2, "second") }.Select(value =>
        {
            ArrayBufferWriter<byte> output = new();
            session.Serialize(output, value);
            session.Commit();
            return output.WrittenSpan.ToArray();
        })];
    }

    private static void ReadSession(params byte[][] messages)
    {
        using var session = Slim.OpenReaderSession();
        Assert.Equal(["first", "second"], messages.Select(m => session.Deserialize<Both>(m).Text));
    }

    private enum Small : byte
    {
        A = 200,
    }

    private enum Wide : long
    {
        B = long.MinValue,
    }

    private sealed record Enums(Small First, Wide Second, object Third);

    private readonly record struct Both(int? Number, string? Text);

    [StructLayout(LayoutKind.Explicit)]
    private struct Overlaid
    {
        [FieldOffset(0)] public double Real;
        [FieldOffset(0)] public long Whole;
    }

    [InlineArray(2)]
    private struct Row
    {
        private string? _first;
    }

    private sealed class Tagged : List<int>
    {
        public string Tag = "tag";
    }

    private sealed record Key(string Name, int Number);

    private sealed record Mark(string Text);

    private sealed class MarkCodec : SlimCodec<Mark>
    {
        public override int Version => 3;

        public override void Write(SlimWriter writer, Mark value) => writer.Write(value.Text);

        public override Mark Create(SlimReader reader) => new(reader.Read<string>());
    }
}
