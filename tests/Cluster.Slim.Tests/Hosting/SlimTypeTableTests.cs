using Cluster.Slim.Hosting;
using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Hosting;

/// <summary>Messages of the in-process profile that outlive their serializer.</summary>
public sealed class SlimTypeTableTests
{
    [Fact]
    public void Restored_ReadsMessagesOfTheOtherSerializer_AndGivesNewTypesLaterNumbers()
    {
        var first = NewSerializer();
        byte[][] messages = [.. Values().Select(first.Serialize<object>)];
        var second = NewSerializer();

        // Met in another order, and one more, which the first did not know.
        SlimTypeTable.Restore(second, RecordsOf(first));
        second.Serialize<object>(new Pair { First = new Later() });
        Assert.Equal(TypesOf(first), TypesOf(second).Take(SlimTypeTable.CountOf(first)));
        for (var i = 0; i < messages.Length; i++)
            Assert.Equal(Values()[i].ToString(), second.Deserialize<object>(messages[i]).ToString());
        Assert.Equal(messages, Values().Select(second.Serialize<object>));
    }

    [Fact]
    public void Restored_WithoutAType_RefusesItsMessagesOnly_AndGivesItANewNumber()
    {
        var first = NewSerializer();
        var lost = first.Serialize<object>(new Later());
        var kept = first.Serialize<object>(new Leaf { Number = 7 });
        var second = NewSerializer();
        SlimTypeTable.Restore(second, RecordsOf(first, type => type == typeof(Later) ? null : type));
        var refused = Assert.Throws<SlimTypeNotAllowedException>(() => second.Deserialize<object>(lost));
        Assert.Contains(typeof(Later).FullName!, refused.TypeName, StringComparison.Ordinal);
        Assert.Contains(typeof(Later).FullName!, refused.Message, StringComparison.Ordinal);
        Assert.Equal("7", second.Deserialize<object>(kept).ToString());
        var again = second.Serialize<object>(new Later());
        Assert.IsType<Later>(second.Deserialize<object>(again));
        Assert.NotEqual(lost, again);
    }

    [Fact]
    public void Restored_WithOtherFields_IsReadByTheirNames_AndWrittenUnderANewNumber()
    {
        var old = new TypeVersion("Restored", """
            public class Part { public int Count = 3; public string Gone = "gone"; }
            public class Whole
            {
                public Part First = new(); public object Second = new Part { Count = 4 }; public int Same = 5;
                public Leftover Unknown = new(); public Part Again;
                public Whole() => Again = First;
            }
            public class Leftover { public Part Inner = new() { Count = 6 }; }
            """);
        var today = new TypeVersion("Restored", """
            public class Part { public string Added; public long Quantity; }
            public class Whole { public int Same; public Part Again; public object Second; public Part First; }
            """);
        var first = NewSerializer();
        var message = first.Serialize<object>(old.New("Whole"));
        var missing = first.Serialize<object>(old.New("Leftover"));
        var options = new SlimOptions { Profile = SlimProfile.InProcess };
        SlimSerializer second = new(options.Alias("Count", today["Part"], "Quantity"));
        SlimTypeTable.Restore(second, RecordsOf(first, type => type?.Assembly != old["Whole"].Assembly
            ? type
            : today.All.FirstOrDefault(one => one.FullName == type.FullName)));
        var known = SlimTypeTable.CountOf(first);
        for (var round = 0; round < 2; round++)
        {
            dynamic whole = second.Deserialize<object>(message);
            Assert.Equal(5, (int)whole.Same);
            Assert.Equal(3L, (long)whole.First.Quantity);
            Assert.Null((string?)whole.First.Added);
            Assert.Equal(4L, (long)whole.Second.Quantity);
            Assert.Same((object)whole.First, (object)whole.Again);
            var anew = second.Serialize<object>((object)whole);
            dynamic copy = second.Deserialize<object>(anew);
            Assert.Equal(3L, (long)copy.First.Quantity);
        }

        Assert.All(Enumerable.Range(0, known), number =>
            Assert.NotEqual(old["Whole"].Assembly, SlimTypeTable.TypeOf(second, number)?.Assembly));
        Assert.True(SlimTypeTable.CountOf(second) > known);
        var refused = Assert.Throws<SlimTypeNotAllowedException>(() => second.Deserialize<object>(missing));
        Assert.Equal("Leftover, Restored", refused.TypeName);
    }

    [Fact]
    public void Number_ThatNoTableHas_IsRefused()
    {
        var first = NewSerializer();
        var message = first.Serialize<object>(new Leaf { Number = 1 });
        Assert.Throws<SlimMalformedException>(() => NewSerializer().Deserialize<object>(message));
    }

    private static SlimTypeRecord[] RecordsOf(SlimSerializer serializer, Func<Type?, Type?>? find = null) =>
    [
        .. TypesOf(serializer).Select((type, number) => new SlimTypeRecord(
            find is null ? type : find(type), SlimTypeTable.LayoutOf(serializer, number))),
    ];

    private static SlimSerializer NewSerializer() => new(new SlimOptions { Profile = SlimProfile.InProcess });

    private static object[] Values() =>
    [
        new Leaf { Number = 1 }, new Pair { First = new Leaf { Number = 2 }, Second = new List<Leaf> { new() { Number = 3 } } },
    ];

    private static IEnumerable<Type?> TypesOf(SlimSerializer serializer) => Enumerable
        .Range(0, SlimTypeTable.CountOf(serializer))
        .Select(number => SlimTypeTable.TypeOf(serializer, number));

    private sealed class Leaf
    {
        public int Number { get; init; }

        public override string ToString() => $"{Number}";
    }

    private sealed class Later;

    private sealed class Pair
    {
        public object? First { get; init; }

        public List<Leaf>? Second { get; init; }

        public override string ToString() => $"{First} {Second?[0]}";
    }
}
