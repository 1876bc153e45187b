using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Security;

/// <summary>What a refusal on reading tells, at every entry point: offset, member path, type and limit, never the
/// content.</summary>
[Trait("Case", "slim-M")]
public sealed class ErrorPathTests
{
    private const string Secret = "secret-content";

    private static readonly SlimSerializer Writer = new(new SlimOptions().Allow<Stranger>());

    public static TheoryData<string> EntryPoints => ["span", "sequence", "stream", "roots", "messages", "session"];

    [Theory]
    [MemberData(nameof(EntryPoints))]
    public void TypeNotAllowed_OnRead_NamesMemberAndType(string entry)
    {
        var error =
            Refused<SlimTypeNotAllowedException>(entry, NewOrder(new Stranger()), new SlimOptions());
        Assert.Equal("Order.Lines[2].Source", error.MemberPath);
        Assert.Equal(typeof(Stranger).FullName + ", Cluster.Slim.Tests", error.TypeName);
    }

    [Theory]
    [MemberData(nameof(EntryPoints))]
    public void Limit_OnRead_NamesMemberAndLimit(string entry)
    {
        var error = Refused<SlimLimitException>(
            entry, NewOrder(Secret + Secret), new SlimOptions { Limits = { MaxStringLength = 20 } });
        Assert.Equal("Order.Lines[2].Source", error.MemberPath);
        Assert.Equal(nameof(SlimLimits.MaxStringLength), error.LimitName);
    }

    [Theory]
    [MemberData(nameof(EntryPoints))]
    public void DamagedValue_OnRead_NamesMember(string entry)
    {
        var error = Refused<SlimMalformedException>(
            entry, NewOrder(new Rare { Flag = true, Text = Secret }), new SlimOptions(), DamageFlag);
        Assert.Equal("Order.Lines[2].Source.Flag", error.MemberPath);
    }

    [Theory]
    [MemberData(nameof(EntryPoints))]
    public void Truncation_OnRead_NamesMember(string entry)
    {
        var error = Refused<SlimMalformedException>(
            entry, NewOrder(new Rare { Text = Secret }), new SlimOptions(), static message => message[..^2]);
        Assert.Equal("Order.Lines[2].Source.Text", error.MemberPath);
    }

    [Fact]
    public void SecondRoot_OnRead_HasAPathOfItsOwn()
    {
        ArrayBufferWriter<byte> output = new();
        Writer.SerializeRoots(output, 5, NewOrder(new Stranger()));
        var error = Assert.ThrowsAny<SlimException>(() => new SlimSerializer().DeserializeRoots(
            new ReadOnlySequence<byte>(output.WrittenMemory), [typeof(int), typeof(Order)]));
        Assert.Equal("Order.Lines[2].Source", error.MemberPath);
    }

    [Fact]
    public void DamagedHeader_OnRead_HasNoPath()
    {
        var message = Writer.Serialize(NewOrder(null));
        message[0] ^= 1;
        Assert.Null(Assert.ThrowsAny<SlimException>(() => Read(new SlimSerializer(), "span", message)).MemberPath);
        Assert.Null(Assert.ThrowsAny<SlimException>(() => Read(new SlimSerializer(), "session", message)).MemberPath);
    }

    [Fact]
    public void UnknownCulture_OnRead_IsNotRepeatedInTheError()
    {
        var message = Writer.Serialize(System.Globalization.CultureInfo.GetCultureInfo("de-DE"));
        message[^5] = (byte)'!';
        CheckNoSecret(Assert.Throws<SlimMalformedException>(
            () => Writer.Deserialize<System.Globalization.CultureInfo>(message)), "!e-DE");
    }

    [Fact]
    public void LongTypeName_FromTheWire_IsCutInTheError()
    {
        var name = new byte[60_000];
        name.AsSpan().Fill((byte)'x');
        byte[] message = [0xB1, 0, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0xE4, 0xD4, 3, 0xE0, 0xD4, 3, .. name, 0];
        var error = Assert.ThrowsAny<SlimException>(() => Writer.Deserialize<object>(message));
        Assert.InRange(error.Message.Length, 1, 2048);
    }

    private static Order NewOrder(object? source) => new()
    {
        Lines = { new Line(), new Line { Source = Secret }, new Line { Source = source } },
    };

    private static byte[] DamageFlag(byte[] message)
    {
        message[message.AsSpan().LastIndexOf(new byte[] { 1, 29 })] = 7;
        return message;
    }

    private static TError Refused<TError>(
        string entry, Order order, SlimOptions options, Func<byte[], byte[]>? damage = null)
        where TError : SlimException
    {
        var message = entry == "session" ? WriteInSession(order) : Writer.Serialize(order);
        message = damage is null ? message : damage(message);
        var error = Assert.Throws<TError>(() => Read(new SlimSerializer(options), entry, message));
        Assert.InRange(error.Offset, 3, message.Length);
        Assert.StartsWith(error.MemberPath + ": ", error.Message, StringComparison.Ordinal);
        CheckNoSecret(error, Secret);
        return error;
    }

    private static void CheckNoSecret(SlimException error, string secret) =>
        Assert.DoesNotContain(secret, error.ToString(), StringComparison.Ordinal);

    private static byte[] WriteInSession(Order order)
    {
        using var session = Writer.OpenWriterSession();
        ArrayBufferWriter<byte> output = new();
        session.Serialize(output, order);
        return output.WrittenSpan.ToArray();
    }

    private static void Read(SlimSerializer slim, string entry, byte[] message)
    {
        switch (entry)
        {
            case "span":
                slim.Deserialize<Order>(message.AsSpan());
                break;
            case "sequence":
                slim.Deserialize<Order>(new ReadOnlySequence<byte>(message));
                break;
            case "stream":
                slim.Deserialize<Order>(new MemoryStream(message));
                break;
            case "roots":
                slim.DeserializeRoots(new ReadOnlySequence<byte>(message), [typeof(Order)]);
                break;
            case "messages":
                SlimMessageReader reader = new(slim);
                reader.Begin(new ReadOnlySequence<byte>(message));
                reader.Read<Order>();
                break;
            default:
                using (var session = slim.OpenReaderSession())
                    session.Deserialize<Order>(message);
                break;
        }
    }

    private sealed class Order
    {
        public List<Line> Lines { get; } = [];

        public Rare? Rare { get; set; }
    }

    private sealed class Line
    {
        public object? Source { get; set; }
    }

    private sealed class Rare
    {
        public bool Flag { get; set; }

        public string? Text { get; set; }
    }

    private sealed class Stranger;
}
