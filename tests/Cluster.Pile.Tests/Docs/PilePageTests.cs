using System.Diagnostics.Metrics;

namespace Cluster.Pile.Tests.Docs;

/// <summary>Runs what the page about the pile shows.</summary>
public sealed class PilePageTests
{
    [Fact]
    public void QuickStart_AsPrinted_Works()
    {
        var person = new Person("Ada", "Lovelace", new DateOnly(1815, 12, 10));
        var renamed = person with { LastName = "King" };

        // <snippet:quick>
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20 });

        var pointer = pile.Put(person);             // a copy of the graph, in native memory
        var copy = pile.Get<Person>(pointer);            // a fresh copy of what is there

        pile.Put(pointer, renamed);                         // in place: the pointer stays valid, however large it gets
        var deleted = pile.Delete(pointer);                // true once; from now on the pointer names nothing, for ever
        Assert.Throws<InvalidPilePointerException>(() => pile.Get<Person>(pointer));
        // </snippet:quick>
        Assert.Equal(person, copy);
        Assert.True(deleted);
    }

    [Fact]
    public void Bytes_AsPrinted_AllocateNothing()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20 });
        var record = new byte[] { 1, 2, 3 };

        // <snippet:bytes>
        var bytes = pile.Put(record.AsSpan());
        Span<byte> buffer = stackalloc byte[256];
        var length = pile.Read(bytes, buffer);              // no allocation, no lock

        using (var view = pile.OpenView(bytes))        // no copy either; update and delete wait meanwhile
            length += view.Span[0];
        // </snippet:bytes>
        Assert.Equal(4, length);
    }

    [Fact]
    public void Members_AsPrinted_AreReadAlone()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20 });
        var pointer = pile.Put(new Person("Ada", "Lovelace", new DateOnly(1815, 12, 10)));

        // <snippet:project>
        var lastName = Projection.Create((Person p) => p.LastName);     // keep it
        var name = pile.Project(pointer, lastName);                 // the person is not built
        // </snippet:project>
        Assert.Equal("Lovelace", name);
    }

    [Fact]
    public void Links_AsPrinted_LeadFromObjectToObject()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20 });
        var ada = new Person("Ada", "Lovelace", new DateOnly(1815, 12, 10));

        // <snippet:piled>
        var customer = new Piled<Person>(pile, pile.Put(ada));
        var order = pile.Put(new Order(17, customer));          // holds 16 bytes, not the person

        var buyer = pile.Get<Order>(order).Customer.Get().FirstName;
        // </snippet:piled>
        Assert.Equal("Ada", buyer);
    }

    [Fact]
    public void Many_AsPrinted_AreReadTogether()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20 });
        var pointers = Enumerable.Range(0, 100)
            .Select(i => pile.Put(new Person("p", $"{i}", default))).ToArray();

        // <snippet:many>
        var people = new Person[pointers.Length];
        pile.GetMany(pointers, people);                     // fetches ahead: for objects that no cache holds

        long total = 0;
        foreach (var found in pile.Enumerate())      // everything in the pile, in the order of addresses
            total += found.Length;
        // </snippet:many>
        Assert.Equal("99", people[99].LastName);
        Assert.Equal(pile.GetStatistics().LiveBytes, total);
    }

    [Fact]
    public void Hints_AsPrinted_GiveRoomAndAnEnd()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20 });
        var cart = new List<string>();

        // <snippet:hints>
        var session = pile.Put(cart, new PutHints
        {
            RoomBytes = 4096,                               // grows in place up to here without a second slot
            TimeToLive = TimeSpan.FromMinutes(20),            // then it is gone, whether anybody asks or not
        });
        // </snippet:hints>
        Assert.Equal(cart, pile.Get<List<string>>(session));
    }

    [Fact]
    public void Full_AsPrinted_LosesNothing()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = PileOptions.MinBudgetBytes });
        var kept = pile.Put("kept");

        // <snippet:full>
        try
        {
            pile.Put(new byte[8 << 20]);
        }
        catch (PileFullException full)                      // names budget and need; every object is as it was
        {
            Assert.True(full.NeededBytes > full.BudgetBytes);
        }
        // </snippet:full>
        Assert.Equal("kept", pile.GetString(kept));
    }

    [Fact]
    public void Statistics_AsPrinted_AddUp()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20 });
        pile.Put("a");

        // <snippet:statistics>
        var now = pile.GetStatistics();
        var bytes = now.LiveBytes + now.FreeBytes + now.BufferBytes + now.RecordBytes
            + now.OverheadBytes;                            // = now.ReservedBytes
        var done = pile.Compact();               // empty memory goes back to the system; pointers stay
        // </snippet:statistics>
        Assert.Equal(now.ReservedBytes, bytes);
        Assert.True(done.ReleasedBytes >= 0);
    }

    [Fact]
    public void Meter_AsPrinted_HasTheName()
    {
        using var listener = new MeterListener();
        var found = false;
        listener.InstrumentPublished = (instrument, _) => found |= instrument.Meter.Name == "Cluster.Pile";
        listener.Start();
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20, Name = "sessions" });
        Assert.True(found);
    }

    // <snippet:types>
    public sealed record Person(string FirstName, string LastName, DateOnly Born);

    public sealed record Order(int Number, Piled<Person> Customer);
    // </snippet:types>
}
