using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Hosting;

/// <summary>Messages of the in-process profile that outlive their serializer.</summary>
public sealed class SlimTypeTableTests
{
    [Fact]
    public void Restored_ReadsMessagesOfTheOtherSerializer_AndGivesNewTypesLaterNumbers()
    {
        SlimSerializer first = NewSerializer();
        byte[][] messages = [.. Values().Select(first.Serialize<object>)];
        SlimSerializer second = NewSerializer();

        // Met in another order, and one more, which the first did not know.
        SlimTypeTable.Restore(second, [.. TypesOf(first)]);
        second.Serialize<object>(new Pair { First = new Later() });
        Assert.Equal(TypesOf(first), TypesOf(second).Take(SlimTypeTable.CountOf(first)));
        for (int i = 0; i < messages.Length; i++)
            Assert.Equal(Values()[i].ToString(), second.Deserialize<object>(messages[i]).ToString());
        Assert.Equal(messages, Values().Select(second.Serialize<object>));
    }

    [Fact]
    public void Restored_WithoutAType_RefusesItsMessagesOnly_AndGivesItANewNumber()
    {
        SlimSerializer first = NewSerializer();
        byte[] lost = first.Serialize<object>(new Later());
        byte[] kept = first.Serialize<object>(new Leaf { Number = 7 });
        SlimSerializer second = NewSerializer();
        SlimTypeTable.Restore(second, [.. TypesOf(first).Select(type => type == typeof(Later) ? null : type)]);
        Assert.Throws<SlimMalformedException>(() => second.Deserialize<object>(lost));
        Assert.Equal("7", second.Deserialize<object>(kept).ToString());
        byte[] again = second.Serialize<object>(new Later());
        Assert.IsType<Later>(second.Deserialize<object>(again));
        Assert.NotEqual(lost, again);
    }

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
