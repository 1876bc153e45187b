using Cluster.Slim.Hosting;
using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Hosting;

/// <summary>What the two sides of a session have to agree on: layouts, the types so far, and where it began.</summary>
[Trait("Case", "slim-K")]
public sealed class SessionAgreementTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    // Empty arrays of two kinds of rank, which make very many types at little cost.
    private static readonly Type[] Elements =
    [
        typeof(bool), typeof(byte), typeof(sbyte), typeof(char), typeof(short), typeof(ushort), typeof(int),
        typeof(uint), typeof(long), typeof(ulong), typeof(float), typeof(double), typeof(decimal), typeof(Guid),
    ];

    private readonly VersionPair _pair = new(
        "public class Order { public int Id; public int Gone; } public class Same { public int Id; }",
        "public class Order { public int Id; public string New; } public class Same { public int Id; }");

    [Fact]
    public void OtherFingerprint_WhenTolerant_IsMatchedOnceAndHoldsForTheSession()
    {
        using var writer = Serializer(_pair.Old, new SlimOptions()).OpenWriterSession();
        using var reader = Serializer(_pair.Now, new SlimOptions()).OpenReaderSession();
        for (var i = 0; i < 4; i++)
        {
            var message = Write(writer, (object)_pair.Old.New("Order", ("Id", i), ("Gone", 9)));
            dynamic back = reader.Deserialize<object>(message);
            Assert.Equal(_pair.Now["Order"], back.GetType());
            Assert.Equal((i, (string?)null), ((int)back.Id, (string?)back.New));
        }
    }

    [Theory]
    [InlineData(SlimSchema.Full, SlimVersioning.Strict, "Gone")]
    [InlineData(SlimSchema.Known, SlimVersioning.Strict, "")]
    [InlineData(SlimSchema.Known, SlimVersioning.Tolerant, "")]
    public void OtherFingerprint_WhenNothingCanBeMatched_IsRefusedWhereverItIsUsed_AndOtherTypesPass(
        SlimSchema schema, SlimVersioning versioning, string difference)
    {
        SlimOptions writing = new() { Schema = schema, Versioning = versioning };
        SlimOptions reading = new() { Schema = schema, Versioning = versioning };
        using var writer = Serializer(_pair.Old, writing).OpenWriterSession();
        using var reader = Serializer(_pair.Now, reading).OpenReaderSession();
        for (var i = 0; i < 3; i++)
        {
            var changed = Write(writer, (object)_pair.Old.New("Order", ("Id", i)));
            var same = Write(writer, (object)_pair.Old.New("Same", ("Id", i)));
            var error =
                Assert.Throws<SlimLayoutException>(() => reader.Deserialize<object>(changed));
            Assert.Contains(difference, error.Message, StringComparison.Ordinal);
            dynamic back = reader.Deserialize<object>(same);
            Assert.Equal(i, (int)back.Id);
        }
    }

    [Fact]
    public void Reset_OnBothSides_StartsAtMessageZeroWithNothingDescribed()
    {
        SlimSerializer slim = new();
        byte[] first = [];
        SlimReaderSession? old = null;
        for (var round = 0; round < 3; round++)
        {
            using var writer = slim.OpenWriterSession();
            var reader = slim.OpenReaderSession();
            var message = Write(writer, new Leaf { Number = 1 });
            first = round == 0 ? message : first;
            Assert.Equal(first, message);
            if (old is not null)
            {
                var error = Assert.Throws<SlimMalformedException>(() => old.Deserialize<Leaf>(message)).Message;
                Assert.Contains("message 5 was expected and message 0 came", error, StringComparison.Ordinal);
                old.Dispose();
                Assert.Throws<ObjectDisposedException>(() => old.Deserialize<Leaf>(message));
            }

            Assert.Equal(1, reader.Deserialize<Leaf>(message).Number);
            for (var i = 1; i < 5; i++)
                Assert.Equal(i, reader.Deserialize<Leaf>(Write(writer, new Leaf { Number = i })).Number);
            old = reader;
        }

        old!.Dispose();
    }

    [Theory]
    [InlineData(nameof(SlimLimits.MaxTypeCount))]
    [InlineData(nameof(SlimLimits.MaxTypeBytes))]
    public void TypesOfASession_OverALimit_AreRefusedByTheWriterFirst_AndByAReaderThatHasLess(string limit)
    {
        SlimOptions options = new() { Profile = SlimProfile.Trusted, TypeResolver = Resolver() };
        var isCount = limit == nameof(SlimLimits.MaxTypeCount);
        if (isCount)
            options.Limits.MaxTypeCount = 20;
        else
            options.Limits.MaxTypeBytes = 2_000;
        SlimSerializer slim = new(options);
        using var writer = slim.OpenWriterSession();
        using var reader = slim.OpenReaderSession();
        options.Limits.MaxTypeCount = isCount ? 10 : options.Limits.MaxTypeCount;
        options.Limits.MaxTypeBytes = isCount ? options.Limits.MaxTypeBytes : 1_000;
        using var smaller = new SlimSerializer(options).OpenReaderSession();
        (var written, var readBySmaller, var error, var less) =
            Offer(writer, reader, smaller);
        Assert.Equal(limit, error.LimitName);
        Assert.InRange(written, readBySmaller + 1, isCount ? 20 : 200);
        Assert.True(!isCount || (written, readBySmaller) == (20, 10));
        Assert.Equal(limit, Assert.IsType<SlimLimitException>(less).LimitName);

        // Both sides go on with the types that they have; the smaller reader lost some and says so.
        var known = Write(writer, ArrayOf(0));
        Assert.Equal(ArrayOf(0).GetType(), reader.Deserialize<object>(known).GetType());
        Assert.Contains("reopen", Assert.Throws<SlimMalformedException>(
            () => smaller.Deserialize<object>(known)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void TypesOfASession_ByDefault_AreFourThousandAndNinetySix()
    {
        SlimSerializer slim = new(new SlimOptions { Profile = SlimProfile.Trusted });
        using var writer = slim.OpenWriterSession();
        using var reader = slim.OpenReaderSession();
        (var written, _, var error, _) = Offer(writer, reader, null);
        Assert.Equal((4096, nameof(SlimLimits.MaxTypeCount)), (written, error.LimitName));
        const string Figures = "4097 is over the limit SlimLimits.MaxTypeCount = 4096";
        Assert.Contains(Figures, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void RegistryOfTypes_AsPayload_ComesBackInEveryMessage()
    {
        SlimSerializer slim = new(new SlimOptions().Allow<Branch>().Allow<Branch[]>());
        using var writer = slim.OpenWriterSession();
        using var reader = slim.OpenReaderSession();
        Registry sent = new()
        {
            Names =
            {
                [typeof(Leaf)] = "leaf", [typeof(Branch)] = "branch", [typeof(Branch[])] = "branches",
                [typeof(int)] = "number", [typeof(Dictionary<Type, string>)] = "registry",
            },
        };
        sent.Types = [.. sent.Names.Keys, typeof(Leaf), null];
        var first = 0;
        for (var i = 0; i < 3; i++)
        {
            var message = Write(writer, sent);
            var back = reader.Deserialize<Registry>(message);
            Assert.Equal(sent.Types, back.Types);
            Assert.Equal(sent.Names.Count, back.Names.Count);
            Assert.All(sent.Names, entry => Assert.Equal(entry.Value, back.Names[entry.Key]));
            first = i == 0 ? message.Length : first;
            Assert.True(i == 0 || message.Length < first);
        }
    }

    [Fact]
    public void RecursiveTypes_FirstMetByFourThreadsAtOnce_ComeBackInTheSessionOfEach()
    {
        const int Threads = 4;
        for (var round = 0; round < 10; round++)
        {
            SlimSerializer slim = new();
            using Barrier barrier = new(Threads);
            var errors = new Exception?[Threads];
            var messages = new byte[Threads][];
            Thread[] threads =
                [.. errors.Select((_, i) => new Thread(() => errors[i] = Record.Exception(() => Exchange(i))))];
            Array.ForEach(threads, static t => t.Start());
            Assert.All(threads, static t => Assert.True(t.Join(Bound)));
            Assert.All(errors, Assert.Null);
            Assert.All(messages, message => Assert.Equal(messages[0], message));

            void Exchange(int i)
            {
                using var writer = slim.OpenWriterSession();
                using var reader = slim.OpenReaderSession();
                Assert.True(barrier.SignalAndWait(Bound));
                messages[i] = Write(writer, TreeOf());
                Check(reader.Deserialize<Branch>(messages[i]));
                Check(reader.Deserialize<Branch>(Write(writer, TreeOf())));
            }
        }
    }

    // Sends one new type per message until the writer refuses; the reader has to take all that was written.
    private static (int Written, int ReadBySmaller, SlimLimitException Error, SlimException? Less) Offer(
        SlimWriterSession writer, SlimReaderSession reader, SlimReaderSession? smaller)
    {
        SlimException? less = null;
        var readBySmaller = 0;
        for (var i = 0; ; i++)
        {
            var array = ArrayOf(i);
            byte[] message = [];
            if (Record.Exception(() => message = Write(writer, (object)array)) is { } error)
                return (i, readBySmaller, Assert.IsType<SlimLimitException>(error), less);
            Assert.Equal(array.GetType(), reader.Deserialize<object>(message).GetType());
            if (smaller is not null && less is null)
            {
                less = Record.Exception(() => smaller.Deserialize<object>(message)) as SlimException;
                readBySmaller += less is null ? 1 : 0;
            }
        }
    }

    private static Array ArrayOf(int index)
    {
        (var ranks, var element) = Math.DivRem(index, Elements.Length);
        (var outer, var inner) = Math.DivRem(ranks, 31);
        return Array.CreateInstance(Elements[element].MakeArrayType(inner + 2), new int[outer + 1]);
    }

    private static Func<string, Type?> Resolver()
    {
        var types = Enumerable.Range(0, 200)
            .Select(static i => ArrayOf(i).GetType()).ToDictionary(static t => t.FullName!);
        return types.GetValueOrDefault;
    }

    private static SlimSerializer Serializer(TypeVersion version, SlimOptions options)
    {
        foreach (var type in version.All)
            options.Allow(type);
        return new SlimSerializer(options);
    }

    private static Branch TreeOf()
    {
        Branch root = new() { Number = 1 };
        root.Children.Add(new Branch { Parent = root, Number = 2 });
        root.Children.Add(new Leaf { Parent = root, Number = 3 });
        root.ByName["self"] = new Fork { Left = root, Right = root.Children[1] };
        return root;
    }

    private static void Check(Branch back)
    {
        Assert.Equal([2, 3], back.Children.Select(static n => n.Number));
        Assert.All(back.Children, child => Assert.Same(back, child.Parent));
        Assert.Same(back, back.ByName["self"].Left);
        Assert.Same(back.Children[1], back.ByName["self"].Right);
    }

    private static byte[] Write<T>(SlimWriterSession session, T value)
    {
        ArrayBufferWriter<byte> output = new();
        session.Serialize(output, value);
        session.Commit();
        return output.WrittenSpan.ToArray();
    }

    private abstract class Node
    {
        public Branch? Parent;
        public int Number;
    }

    private sealed class Leaf : Node;

    private sealed class Branch : Node
    {
        public List<Node> Children { get; } = [];

        public Dictionary<string, Fork> ByName { get; } = [];
    }

    private struct Fork
    {
        public Branch? Left;
        public Node? Right;
    }

    private sealed class Registry
    {
        public Dictionary<Type, string> Names { get; } = [];

        public List<Type?> Types { get; set; } = [];
    }
}
