using Cluster.Slim.Tests.Skipping;
using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Projections;

/// <summary>Chosen members read out of message bytes, without the object.</summary>
public sealed class ProjectionTests
{
    public static TheoryData<SlimProfile, SlimSchema> Kinds => new()
    {
        { SlimProfile.Contract, SlimSchema.Full },
        { SlimProfile.Contract, SlimSchema.Known },
        { SlimProfile.InProcess, SlimSchema.Full },
        { SlimProfile.Trusted, SlimSchema.Full },
    };

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Members_OnEveryWay_AreRead(SlimProfile profile, SlimSchema schema)
    {
        SlimSerializer slim = new(new SlimOptions { Profile = profile, Schema = schema });
        var message = slim.Serialize(NewPerson());
        for (var i = 0; i < 2; i++)
        {
            Assert.Equal(41, slim.CreateProjection<Person, int>(p => p.Age).Read(message));
            Assert.Equal("Ada", slim.CreateProjection<Person, string>(p => p.Name!).Read(message));
            Assert.Equal("Ulm", slim.CreateProjection<Person, string>(p => p.Home!.City!).Read(message));
            Assert.Equal(7, slim.CreateProjection<Person, int>(p => p.Home!.At.X).Read(message));
            Assert.Equal(9, slim.CreateProjection<Person, Spot>(p => p.Home!.At).Read(message).Y);
            Assert.Equal([1, 2, 3], slim.CreateProjection<Person, int[]>(p => p.Numbers).Read(message)!);
            Assert.Equal(2.5, slim.CreateProjection<Person, double>(p => ((Circle)p.Shape!).Radius).Read(message));
            Assert.Equal(3, slim.CreateProjection<Person, int>(p => p.Overlaid.Low).Read(message));
            slim.Deserialize<Person>(message);
        }
    }

    [Fact]
    public void NullOnTheWay_GivesTheDefault()
    {
        SlimSerializer slim = new();
        var message = slim.Serialize(new Person { Name = "n" });
        Assert.Null(slim.CreateProjection<Person, string>(p => p.Home!.City!).Read(message));
        Assert.Equal(0, slim.CreateProjection<Person, int>(p => p.Home!.At.X).Read(message));
        Assert.Null(slim.CreateProjection<Person, Address>(p => p.Friend!.Home!).Read(message));
        Assert.Null(slim.CreateProjection<Person, string>(p => p.Name!).Read(slim.Serialize<Person?>(null)));
    }

    [Fact]
    public void References_OnTheWayAndAsResult_AreBuilt()
    {
        SlimSerializer slim = new();
        var person = NewPerson();
        var message = slim.Serialize(person);

        // Again stands behind the object that it refers to; the friend refers back to the root.
        Assert.Equal("Ulm", slim.CreateProjection<Person, string>(p => p.ZAgain!.City!).Read(message));
        Assert.Equal("Ulm", slim.CreateProjection<Person, Address>(p => p.ZAgain!).Read(message)!.City);
        Assert.Equal(41, slim.CreateProjection<Person, int>(p => p.Friend!.Friend!.Age).Read(message));
        var root = slim.CreateProjection<Person, Person>(p => p.Friend!.Friend!).Read(message)!;
        Assert.Equal(("Ada", 41, "Ulm"), (root.Name, root.Age, root.Home!.City));
        Assert.Same(root, root.Friend!.Friend);
        Assert.Same(root.Home, root.ZAgain);
        var friend = slim.CreateProjection<Person, Person>(p => p.Friend!).Read(message)!;
        Assert.Equal([1, 2, 3], friend.Friend!.Numbers);
        Assert.Same(friend, friend.Friend.Friend);
    }

    [Fact]
    public void DeepResults_AreWhole()
    {
        SlimSerializer slim = new();
        var person = NewPerson();
        var last = person;
        for (var i = 0; i < 1000; i++)
            last = last.Friend = new Person { Age = i, Friend = null };
        var back = slim.CreateProjection<Person, Person>(p => p.Friend!).Read(slim.Serialize(person));
        for (var i = 0; i < 1000; i++, back = back.Friend)
            Assert.Equal(i, back!.Age);
        Assert.Null(back);
    }

    [Fact]
    public void MessageOfAnotherVersion_IsProjectedByItsLayout()
    {
        VersionPair pair = new(
            "public class Person { public string Text; public int Age; public object Any; }",
            "public class Person { public long Age; public object Any; public int Missing; }");
        dynamic person = pair.Old.Make("Person");
        (person.Age, person.Text, person.Any) = (41, "t", new object[] { 1 });
        byte[] message = new SlimSerializer().Serialize(person);
        SlimSerializer slim = new();
        Assert.Equal(41L, Project<long>(slim, pair.Now["Person"], "Age", message));
        Assert.Equal(0, Project<int>(slim, pair.Now["Person"], "Missing", message));
        Assert.Equal(1, Assert.IsType<object[]>(Project<object>(slim, pair.Now["Person"], "Any", message))[0]);
    }

    [Fact]
    public void Codecs_AndSelfWrittenTypes_OnTheWay_AreBuilt()
    {
        SlimSerializer slim = new(new SlimOptions().AddCodec(new SkippedObjectTests.MoneyCodec()));
        var message = slim.Serialize(new Purse
        {
            Gone = new SkippedObjectTests.Money { Text = "no" }, Money = new SkippedObjectTests.Money { Text = "yes" }, Zip = 5,
        });
        Assert.Equal("yes", slim.CreateProjection<Purse, string>(p => p.Money!.Text!).Read(message));
        Assert.Equal(5, slim.CreateProjection<Purse, int>(p => p.Zip).Read(message));
    }

    [Fact]
    public void Values_OutOfABigObject_CostNoMemory()
    {
        foreach (var profile in new[] { SlimProfile.Contract, SlimProfile.InProcess })
        {
            SlimSerializer slim = new(new SlimOptions { Profile = profile });
            var person = NewPerson();
            person.Friends = [.. Enumerable.Range(0, 1000).Select(i => new Person { Name = $"friend {i}", Home = new Address() })];
            var message = slim.Serialize(person);
            var projection = slim.CreateProjection<Person, int>(p => p.Home!.At.X);
            var last = slim.CreateProjection<Person, Address>(p => p.ZAgain!);
            for (var i = 0; i < 50; i++)
                Assert.Equal((7, "Ulm"), (projection.Read(message), last.Read(message)!.City));
            var full = Allocated(() => slim.Deserialize<Person>(message));
            Assert.Equal(0, Allocated(() => projection.Read(message)));
            Assert.InRange(Allocated(() => last.Read(message)), 1, full / 20);
        }
    }

    [Fact]
    public void DamagedMessages_AreReadOrRefused()
    {
        SlimSerializer slim = new();
        var message = slim.Serialize(NewPerson());
        var projection = slim.CreateProjection<Person, Address>(p => p.ZAgain!);
        for (var length = 0; length < message.Length; length++)
            Assert.ThrowsAny<SlimException>(() => projection.Read(message.AsSpan(0, length)));
        for (var seed = 0; seed < 5000; seed++)
        {
            Random random = new(seed);
            byte[] mutated = [.. message];
            for (var i = random.Next(1, 4); i > 0; i--)
                mutated[random.Next(2, mutated.Length)] = (byte)random.Next(random.Next(2) == 0 ? 8 : 256);
            var error = Record.Exception(() => projection.Read(mutated));
            Assert.True(error is null or SlimException { Site: not null }, $"seed {seed}: {error}");
        }
    }

    [Fact]
    public void Expressions_ThatAreNoPath_AreRefused()
    {
        SlimSerializer slim = new();
        Assert.Throws<ArgumentException>(() => slim.CreateProjection<Person, int>(p => p.Name!.Length));
        Assert.Throws<ArgumentException>(() => slim.CreateProjection<Person, int>(p => p.Age + 1));
        Assert.Throws<ArgumentException>(() => slim.CreateProjection<Person, Person>(p => p));
        Assert.Throws<ArgumentException>(() => slim.CreateProjection<Person, int>(p => p.Computed));
        Assert.Throws<ArgumentException>(() => slim.CreateProjection<Person, object>(p => p.Name!));
    }

    private static long Allocated(Action read)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        read();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static TResult Project<TResult>(SlimSerializer slim, Type type, string field, byte[] message) =>
        (TResult)typeof(ProjectionTests)
            .GetMethod(nameof(ProjectCore), System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic)!
            .MakeGenericMethod(type, typeof(TResult))
            .Invoke(null, [slim, field, message])!;

    private static TResult? ProjectCore<T, TResult>(SlimSerializer slim, string field, byte[] message)
        where T : class
    {
        var root = System.Linq.Expressions.Expression.Parameter(typeof(T));
        return slim.CreateProjection(System.Linq.Expressions.Expression.Lambda<Func<T, TResult>>(
            System.Linq.Expressions.Expression.Field(root, field), root)).Read(message);
    }

    private static Person NewPerson()
    {
        Address home = new() { City = "Ulm", At = new Spot { X = 7, Y = 9 } };
        Person person = new()
        {
            Name = "Ada", Age = 41, Home = home, ZAgain = home, Numbers = [1, 2, 3], Shape = new Circle { Radius = 2.5 },
            Overlaid = new Overlaid { Low = 3 },
        };
        person.Friend = new Person { Name = "Bo", Friend = person };
        return person;
    }

    internal sealed class Person
    {
        public string? Name { get; set; }

        public int Age { get; set; }

        public Address? Home { get; set; }

        public Address? ZAgain { get; set; }

        public int[] Numbers { get; set; } = [];

        public Shape? Shape { get; set; }

        public Person? Friend { get; set; }

        public List<Person> Friends { get; set; } = [];

        public Overlaid Overlaid;

        public int Computed => Age;
    }

    internal sealed class Address
    {
        public string? City;
        public Spot At;
    }

    internal struct Spot
    {
        public int X;
        public int Y;
    }

    [System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)]
    internal struct Overlaid
    {
        [System.Runtime.InteropServices.FieldOffset(0)]
        public long All;

        [System.Runtime.InteropServices.FieldOffset(0)]
        public int Low;
    }

    internal abstract class Shape;

    internal sealed class Circle : Shape
    {
        public double Radius;
    }

    internal sealed class Purse
    {
        public SkippedObjectTests.Money? Gone;
        public SkippedObjectTests.Money? Money;
        public int Zip;
    }
}
