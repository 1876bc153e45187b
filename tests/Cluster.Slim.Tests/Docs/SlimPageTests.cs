using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Docs;

/// <summary>Runs what the page about Slim shows.</summary>
public sealed class SlimPageTests
{
    private readonly ArrayBufferWriter<byte> _network = new();

    [Fact]
    public void QuickStart_AsPrinted_CarriesAnOrder()
    {
        Customer customer = new() { Name = "Ada" };
        Order order = new(17) { Customer = customer };
        order.Add(new Line("A-1", 9.90m));
        customer.Orders.Add(order);

        // <snippet:quick>
        var slim = new SlimSerializer();                    // keep it: it is immutable and knows your types

        var bytes = slim.Serialize(order);               // also into IBufferWriter<byte>, PipeWriter, Stream
        var back = slim.Deserialize<Order>(bytes);        // also from spans, memory, sequences, Stream

        Assert.Equal("A-1", back.Lines[0].Sku);             // private fields travel
        Assert.Same(back, back.Customer!.Orders[0]);        // references stay references, cycles stay cycles
        var copy = slim.DeepClone(order);
        // </snippet:quick>
        Assert.NotSame(order, copy);
    }

    [Fact]
    public void Projection_AsPrinted_ReadsOneMember()
    {
        var slim = new SlimSerializer();
        var bytes = slim.Serialize(new Order(17) { Customer = new Customer { Name = "Ada" } });

        // <snippet:projection>
        var name = slim.CreateProjection<Order, string>(o => o.Customer!.Name);     // keep it

        Assert.Equal("Ada", name.Read(bytes));              // neither the order nor the customer was made
        // </snippet:projection>
        Assert.Null(name.Read(slim.Serialize(new Order(18))));
    }

    [Fact]
    public void ElementsOfCollections_OfAnotherType_AreNotConverted()
    {
        VersionPair pair = new(
            "public class Basket { public System.Collections.Generic.List<int> Counts; public int[] Sizes; }",
            "public class Basket { public System.Collections.Generic.List<long> Counts; public long[] Sizes; }");
        Assert.Contains("Counts", pair.Refuses<SlimLayoutException>(
            pair.Old.New("Basket", ("Counts", new List<int> { 1 }))).Message, StringComparison.Ordinal);
        Assert.Contains("Sizes", pair.Refuses<SlimLayoutException>(
            pair.Old.New("Basket", ("Sizes", new[] { 1 }))).Message, StringComparison.Ordinal);
        pair.Check(pair.Old.New("Basket"), static back => Assert.Null((object?)back.Counts));
    }

    [Fact]
    public void Identity_AsPrinted_IsByReference()
    {
        SlimSerializer slim = new();

        // <snippet:identity>
        var line = new Line("A-1", 9.90m);
        var back = slim.DeepClone<List<Line>>([line, line, new Line("A-1", 9.90m)]);

        Assert.Same(back[0], back[1]);                      // one object stays one
        Assert.NotSame(back[0], back[2]);                   // two equal objects stay two
        // </snippet:identity>
    }

    [Fact]
    public void ClosedList_AsPrinted_NamesTheLineToAdd()
    {
        // <snippet:allow>
        var drawing = new Drawing { Tag = new Note("draft") };
        drawing.Shapes.Add(new Circle(2));                  // found: IShape is ours, and Circle is in its assembly

        var error = Assert.Throws<SlimTypeNotAllowedException>(() => new SlimSerializer().Serialize(drawing));
        // Drawing.Tag: Note is not on the closed list of Drawing. Add it: new SlimOptions().Allow<Note>().

        var slim = new SlimSerializer(new SlimOptions().Allow<Note>());
        Assert.Equal(new Note("draft"), slim.DeepClone(drawing).Tag);
        // </snippet:allow>
        Assert.Equal("Drawing.Tag", error.MemberPath);
        Assert.EndsWith("Add it: new SlimOptions().Allow<Cluster.Slim.Tests.Docs.Note>().", error.Message, StringComparison.Ordinal);
        Assert.Equal(new Circle(2), slim.DeepClone(drawing).Shapes[0]);
    }

    [Fact]
    public void Refusal_AsPrinted_IsByValueAndOnWrite()
    {
        SlimSerializer slim = new();

        // <snippet:refusal>
        slim.Serialize(new Drawing());                      // Source is null: fine

        var drawing = new Drawing { Source = new MemoryStream() };
        var error = Assert.Throws<SlimTypeNotSupportedException>(() => slim.Serialize(drawing));
        // Drawing.Source: System.IO.MemoryStream cannot be carried: it holds an operating-system handle or a position in one.
        // </snippet:refusal>
        Assert.Equal(
            "Drawing.Source: System.IO.MemoryStream cannot be carried: it holds an operating-system handle or a position in one.",
            error.Message);
    }

    [Fact]
    public void Session_AsPrinted_DescribesTypesOnce()
    {
        SlimSerializer slim = new();
        Order[] orders = [new(1), new(2)];
        List<int> received = [];
        void Send(ReadOnlySpan<byte> message) => _network.Write(message);
        byte[] Receive()
        {
            var message = _network.WrittenSpan.ToArray();
            _network.ResetWrittenCount();
            return message;
        }

        // <snippet:session>
        using var writer = slim.OpenWriterSession();
        using var reader = slim.OpenReaderSession();
        var buffer = new ArrayBufferWriter<byte>();
        foreach (var order in orders)
        {
            buffer.ResetWrittenCount();
            writer.Serialize(buffer, order);
            Send(buffer.WrittenSpan);
            writer.Commit();                                // sent: from now on the reader knows its types

            received.Add(reader.Deserialize<Order>(Receive()).Id);
        }
        // </snippet:session>

        Assert.Equal([1, 2], received);
        Assert.True(buffer.WrittenCount < slim.Serialize(orders[1]).Length / 2);
    }

    [Fact]
    public void Roots_AsPrinted_ShareIdentity()
    {
        SlimSerializer slim = new();

        // <snippet:roots>
        var customer = new Customer { Name = "Ada" };
        var order = new Order(17) { Customer = customer };
        var output = new ArrayBufferWriter<byte>();
        slim.SerializeRoots(output, order, customer, 42);

        var roots = slim.DeserializeRoots(
            new ReadOnlySequence<byte>(output.WrittenMemory), [typeof(Order), typeof(Customer), typeof(int)]);
        Assert.Same(((Order)roots[0]!).Customer, roots[1]);
        // </snippet:roots>
        Assert.Equal(42, roots[2]);
    }

    [Fact]
    public void Codecs_AsPrinted_CarryTheirTypes()
    {
        Topic topic = new("graphs");
        topic.Related.Add(topic);

        // <snippet:use-codec>
        var slim = new SlimSerializer(new SlimOptions().AddCodec(new MoneyCodec()).AddCodec(new TopicCodec()));
        // </snippet:use-codec>
        Assert.Equal(new Money(990, "EUR"), slim.DeepClone(new Money(990, "EUR")));
        var back = slim.DeepClone(topic);
        Assert.Same(back, back.Related[0]);
        Assert.Equal("graphs", back.Name);
    }

    [Fact]
    public void OwnCode_AsPrinted_RunsWhereItIsAllowed()
    {
        // <snippet:opt-in>
        var slim = new SlimSerializer(new SlimOptions().AllowCallbacks<Session>());
        var session = slim.DeepClone(new Session { User = "ada" });
        Assert.Empty(session.Cache);                        // Restore has run

        var rules = new SlimSerializer(new SlimOptions().AllowMethodsOf(typeof(Prices)));
        var rule = rules.DeepClone(new Rule { Price = Prices.Gross });
        Assert.Equal(119m, rule.Price(100m));
        // </snippet:opt-in>
        Assert.Equal("ada", session.User);
        Assert.Throws<SlimTypeNotSupportedException>(() => new SlimSerializer().Serialize(session));
        Assert.Throws<SlimTypeNotSupportedException>(() => new SlimSerializer().Serialize(rule));
    }

    [Fact]
    public void Limits_AsPrinted_AreNamedWhenCrossed()
    {
        // <snippet:limits>
        var slim = new SlimSerializer(new SlimOptions
        {
            Limits = { MaxMessageBytes = 1024 * 1024, MaxGraphBytes = 4 * 1024 * 1024, MaxStringLength = 10_000 },
        });
        var error = Assert.Throws<SlimLimitException>(() => slim.Serialize(new string('x', 10_001)));
        Assert.Equal("MaxStringLength", error.LimitName);
        // </snippet:limits>
    }

    [Fact]
    public void Profiles_AsPrinted_DifferInTrust()
    {
        Note note = new("kept");

        // <snippet:profiles>
        var journal = new SlimSerializer(new SlimOptions
        {
            Profile = SlimProfile.Trusted,                  // bytes that only we can have written
            TypeResolver = static name => name.StartsWith("Cluster.Slim.Tests.Docs.Note,", StringComparison.Ordinal)
                ? typeof(Note)
                : null,                                     // a name from the bytes never reaches Type.GetType
        });
        var local = new SlimSerializer(new SlimOptions { Profile = SlimProfile.InProcess });
        // </snippet:profiles>
        var message = new SlimSerializer(new SlimOptions { Profile = SlimProfile.Trusted }).Serialize<object>(note);
        Assert.Equal(note, journal.Deserialize<object>(message));
        Assert.Equal(note, local.DeepClone<object>(note));
    }

    [Fact]
    public void Comparers_AsPrinted_AreUsedAfterwards()
    {
        // <snippet:use-comparer>
        var slim = new SlimSerializer(new SlimOptions().Allow<ByLength>());
        var back = slim.DeepClone(new HashSet<string>(new ByLength()) { "ab" });
        Assert.Contains("xy", back);                        // ByLength came along
        // </snippet:use-comparer>
    }

    [Fact]
    public void Errors_AsPrinted_HaveOneRoot()
    {
        SlimSerializer slim = new();
        var bytes = slim.Serialize(new Order(1))[..^1];
        List<string> log = [];

        // <snippet:errors>
        try
        {
            slim.Deserialize<Order>(bytes);
        }
        catch (SlimException error)
        {
            log.Add($"refused at byte {error.Offset}, {error.MemberPath}: {error.Message}");
        }
        // </snippet:errors>
        Assert.Single(log);
    }

    [Fact]
    public void Versions_AsPrinted_ReadWhatAnOlderWriterSent()
    {
        TypeVersion old = new("Shop", "namespace Shop; public class Basket { public int Count; public string Colour; }");
        var message = TypeVersion.Write(old.New("Shop.Basket", ("Count", 3), ("Colour", "red")));

        // <snippet:versions>
        var slim = new SlimSerializer(new SlimOptions()
            .Alias("Shop.Basket, Shop", typeof(Cart))       // types in the order of their renames
            .Alias("Count", typeof(Cart), nameof(Cart.Items)));
        var cart = slim.Deserialize<Cart>(message);

        Assert.Equal(3, cart.Items);                        // the number was widened
        Assert.Null(cart.Voucher);                          // a field the sender does not have: its default
        // </snippet:versions>
        var strict = new SlimOptions { Versioning = SlimVersioning.Strict }
            .Alias("Shop.Basket, Shop", typeof(Cart)).Alias("Count", typeof(Cart), nameof(Cart.Items));
        Assert.Throws<SlimLayoutException>(() => new SlimSerializer(strict).Deserialize<Cart>(message));
    }

    [Fact]
    public void Canonical_AsPrinted_GivesEqualBytesForEqualContent()
    {
        // <snippet:canonical>
        var slim = new SlimSerializer(new SlimOptions { Canonical = true });
        Assert.Equal(
            slim.Serialize(new HashSet<string> { "a", "b" }),
            slim.Serialize(new HashSet<string> { "b", "a" }));
        // </snippet:canonical>
    }
}
