using Cluster.Slim.Hosting;
using Cluster.Slim.Tests.Format;
using Cluster.Slim.Tests.Security;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>The messages that are mutated: golden ones, a value of every family, random graphs, sessions, messages of
/// several roots, in all profiles and schemas, and hostile ones. Short ones are picked more often. Immutable; used by
/// many threads.</summary>
internal sealed class FuzzCorpus
{
    private const int PickCount = 1 << 16;
    private const int RandomGraphCount = 12;

    /// <summary>What every serializer of the corpus allows a message to cost.</summary>
    public static readonly SlimLimits Limits = new()
    {
        MaxMessageBytes = 64 * 1024, MaxGraphBytes = 256 * 1024, MaxStringLength = 8 * 1024,
        MaxTypeCount = 256, MaxTypeBytes = 64 * 1024,
    };

    private readonly FuzzCase[] _cases;
    private readonly FuzzCase[] _picks;

    /// <summary>Makes the corpus.</summary>
    /// <param name="compiles">Whether types of other builds are compiled for it; without them it has fewer messages.
    /// </param>
    public FuzzCorpus(bool compiles = true)
    {
        _cases =
        [
            .. Golden(),
            .. Values(SlimProfile.Contract, SlimSchema.Full), .. Values(SlimProfile.Contract, SlimSchema.Known),
            .. Values(SlimProfile.Trusted, SlimSchema.Full), .. Values(SlimProfile.InProcess, SlimSchema.Full),
            .. Graphs(), .. RandomGraphs(), .. Sessions(), .. HostileCases.All,
            .. compiles ? FuzzVersions.All() : [], .. FuzzCallbacks.All(), .. FuzzProjections.All(),
        ];
        double[] weights = [.. _cases.Select(static c => 1.0 / (64 + c.Message.Length))];
        var total = weights.Sum();
        _picks = [.. _cases.Zip(weights)
            .SelectMany(p => Enumerable.Repeat(p.First, 1 + (int)(PickCount * p.Second / total)))];
        Fingerprints = [.. _cases.SelectMany(FingerprintsOf).Distinct()];
        Descriptions = [.. _cases.SelectMany(DescriptionsOf)];
    }

    public IReadOnlyList<FuzzCase> Cases => _cases;

    /// <summary>Fingerprints of types that some serializer of the corpus knows.</summary>
    public ulong[] Fingerprints { get; }

    /// <summary>Whole type descriptions.</summary>
    public byte[][] Descriptions { get; }

    public FuzzCase Pick(ref FuzzRandom random) => _picks[random.Next(_picks.Length)];

    public static SlimSerializer NewSerializer(SlimProfile profile, SlimSchema schema)
    {
        SlimOptions options = new() { Profile = profile, Schema = schema, Limits = Limits };
        options.AddCodec(new FuzzTypes.ParcelCodec()).AddCodec(new FuzzTypes.WeightCodec());
        foreach (var type in FuzzValues.All.Select(static v => FrameworkForms.CarriedTypeOf(v.GetType())).Distinct())
            options.Allow(type);
        return new SlimSerializer(options.Allow<GoldenCases.Line>().Allow<GoldenCases.Node>()
            .Allow<GoldenCases.Circle>().Allow<GoldenCases.Square>().Allow<GoldenCases.Shape[]>());
    }

    // Golden messages that cannot be read as an object of this list are read by their own check, which may find other
    // values than it expects.
    private static IEnumerable<FuzzCase> Golden()
    {
        var slim = NewSerializer(SlimProfile.Contract, SlimSchema.Full);
        foreach ((var name, (var write, var check)) in GoldenCases.All)
        {
            var message = write();
            var isPlain = Record.Exception(() => slim.Deserialize<object>(message)) is null;
            var read = isPlain ? bytes => slim.Deserialize<object>(bytes) : Checked(check);
            yield return new FuzzCase("golden " + name, message, () => read);
        }
    }

    private static Action<byte[]> Checked(Action<byte[]> check) => bytes =>
    {
        try
        {
            check(bytes);
        }
        catch (Exception e) when (e is not SlimException && !IsFromSlim(e))
        {
            // The message was read, and is not what the check expects.
        }
    };

    private static bool IsFromSlim(Exception error) =>
        error.StackTrace!.Contains($" {typeof(SlimSerializer).FullName}.", StringComparison.Ordinal);

    private static IEnumerable<FuzzCase> Values(SlimProfile profile, SlimSchema schema)
    {
        var slim = NewSerializer(profile, schema);
        return FuzzValues.All.Select(value => new FuzzCase(
            $"{profile} {schema} {value.GetType()}",
            slim.Serialize(value),
            () => bytes => slim.Deserialize<object>(bytes))
        {
            IsSwept = value is TimeZoneInfo,
        });
    }

    private static IEnumerable<FuzzCase> Graphs()
    {
        foreach (var profile in Enum.GetValues<SlimProfile>())
        {
            foreach (var schema in Enum.GetValues<SlimSchema>())
            {
                SlimSerializer slim = new(new SlimOptions { Profile = profile, Schema = schema, Limits = Limits });
                var message = slim.Serialize(Corpus.Graph());
                yield return new FuzzCase(
                    $"graph {profile} {schema}", message, () => bytes => slim.Deserialize<Corpus.Root>(bytes));
                yield return new FuzzCase($"roots {profile} {schema}", RootsMessage(slim), () => RootsReader(slim));
            }
        }
    }

    private static byte[] RootsMessage(SlimSerializer slim)
    {
        ArrayBufferWriter<byte> output = new();
        SlimMessageWriter writer = new(slim);
        Corpus.Leaf shared = new() { Text = "shared" };
        writer.Begin(output);
        writer.Write(5);
        writer.Write<long?>(6);
        writer.Write("text");
        writer.Write(new Dictionary<string, Corpus.Leaf> { ["a"] = shared });
        writer.Write<Corpus.Shape>(new Corpus.Circle());
        writer.Write(shared);
        writer.Complete();
        return output.WrittenSpan.ToArray();
    }

    // One reader for all messages: after a refusal it has to be as good as new.
    private static Action<byte[]> RootsReader(SlimSerializer slim)
    {
        SlimMessageReader reader = new(slim);
        return bytes =>
        {
            reader.Begin(new ReadOnlySequence<byte>(bytes));
            reader.Read<int>();
            reader.Read<long?>();
            reader.Read<string>();
            reader.Read<Dictionary<string, Corpus.Leaf>>();
            reader.Read<Corpus.Shape>();
            reader.Read<Corpus.Leaf>();
            reader.Complete();
        };
    }

    private static IEnumerable<FuzzCase> RandomGraphs()
    {
        SlimSerializer slim = new(new SlimOptions { Limits = Limits }
            .Allow<RandomGraph.Node>().Allow<RandomGraph.Derived>().Allow<RandomGraph.Pair>()
            .Allow<RandomGraph.Record>().Allow<HashSet<object>>().Allow<Tuple<object, object>>());
        return Enumerable.Range(1, RandomGraphCount).Select(seed => new FuzzCase(
            $"random graph {seed}",
            slim.Serialize(new RandomGraph(seed).Build()),
            () => bytes => slim.Deserialize<object>(bytes)));
    }

    private static IEnumerable<FuzzCase> Sessions()
    {
        foreach (var schema in Enum.GetValues<SlimSchema>())
        {
            var slim = NewSerializer(SlimProfile.Contract, schema);
            object[] values =
            [
                new FuzzTypes.Node(), new FuzzTypes.Node { Any = new FuzzTypes.Order(1) }, new FuzzTypes.Key("a", 1),
            ];
            using var session = slim.OpenWriterSession();
            byte[][] messages = [.. values.Select(value => WriteNext(session, value))];
            for (var i = 0; i < messages.Length; i++)
            {
                var position = i;
                yield return new FuzzCase(
                    $"session {schema} {i}", messages[i], () => SessionReader(slim, messages, position));
            }
        }
    }

    private static byte[] WriteNext(SlimWriterSession session, object value)
    {
        ArrayBufferWriter<byte> output = new();
        session.Serialize(output, value);
        session.Commit();
        return output.WrittenSpan.ToArray();
    }

    // The messages before the damaged one are good; those after it are read or refused, whatever it was.
    private static Action<byte[]> SessionReader(SlimSerializer slim, byte[][] messages, int position) => bytes =>
    {
        using var session = slim.OpenReaderSession();
        for (var i = 0; i < position; i++)
            session.Deserialize<object>(messages[i]);
        try
        {
            session.Deserialize<object>(bytes);
        }
        finally
        {
            for (var i = position + 1; i < messages.Length; i++)
                ReadOrRefuse(session, messages[i]);
        }
    };

    private static void ReadOrRefuse(SlimReaderSession session, byte[] message)
    {
        try
        {
            session.Deserialize<object>(message);
        }
        catch (SlimException)
        {
        }
    }

    private static IEnumerable<ulong> FingerprintsOf(FuzzCase source) =>
        MessageMap.DescriptionsOf(source.Message).Select(d => BitConverter.ToUInt64(source.Message, d.Fingerprint));

    private static IEnumerable<byte[]> DescriptionsOf(FuzzCase source) =>
        MessageMap.DescriptionsOf(source.Message).Select(d => source.Message[d.Fingerprint..(d.Start + d.Length)]);
}
