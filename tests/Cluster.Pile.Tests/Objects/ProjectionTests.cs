namespace Cluster.Pile.Tests.Objects;

/// <summary>One member of a stored object, read without building the object.</summary>
public sealed class ProjectionTests
{
    private static readonly Projection<Person, string?> LastName = Projection.Create((Person p) => p.LastName);

    [Fact]
    public void Project_OfFieldPropertyAndPath_GivesTheMember()
    {
        using var pile = Piles.Create();
        var ada = new Person("Ada", "Lovelace", 36);
        ada.Friend = new Employee("Charles", "Babbage", 79, "engines") { Friend = ada };
        var pointer = pile.Put(ada);

        Assert.Equal("Lovelace", pile.Project(pointer, LastName));
        Assert.Equal(36, pile.Project(pointer, Projection.Create((Person p) => p.Age)));
        Assert.Equal("Charles", pile.Project(pointer, Projection.Create((Person p) => p.Friend!.FirstName)));
        Assert.Equal(
            "engines", pile.Project(pointer, Projection.Create((Person p) => ((Employee)p.Friend!).Department)));
        var friend = pile.Project(pointer, Projection.Create((Person p) => p.Friend));
        Assert.Same(friend, friend!.Friend!.Friend);
    }

    [Fact]
    public void Project_OfDerivedAndChangedObjects_GivesWhatIsThereNow()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put<object>(new Employee("Grace", "Hopper", 85, "navy"));
        Assert.Equal("Hopper", pile.Project(pointer, LastName));
        pile.Put(pointer, new Person("Grace", new string('x', 5000), 85));
        Assert.Equal(5000, pile.Project(pointer, LastName)!.Length);
    }

    [Fact]
    public void Project_WhereTheWayEnds_GivesTheDefault()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new Person("Ada", null, 36));
        Assert.Null(pile.Project(pointer, LastName));
        Assert.Equal(0, pile.Project(pointer, Projection.Create((Person p) => p.Friend!.Age)));
    }

    [Fact]
    public void Project_OfAnotherType_IsRefusedLikeGet()
    {
        using var pile = Piles.Create();
        var other = pile.Put(new Uri("http://localhost/"));
        Assert.Contains(nameof(Uri), Assert.Throws<InvalidCastException>(() => pile.Project(other, LastName)).Message);
        Assert.Throws<InvalidCastException>(() => pile.Project(pile.Put("text"), LastName));
        Assert.Throws<InvalidCastException>(() => pile.Project(pile.Put(new byte[] { 1 }), LastName));
        var person = pile.Put(new Person("a", "b", 1) { Friend = new Person("c", "d", 2) });
        Assert.Throws<InvalidCastException>(
            () => pile.Project(person, Projection.Create((Person p) => ((Employee)p.Friend!).Department)));
    }

    [Fact]
    public void Project_ByAStalePointerOrClosedPile_Throws()
    {
        var pile = Piles.Create();
        var pointer = pile.Put(new Person("Ada", "Lovelace", 36));
        pile.Delete(pointer);
        Assert.Throws<InvalidPilePointerException>(() => pile.Project(pointer, LastName));
        pile.Dispose();
        Assert.Throws<ObjectDisposedException>(() => pile.Project(pointer, LastName));
    }

    [Fact]
    public void Create_OfWhatIsNoMember_SaysSoAtOnce()
    {
        Assert.Throws<ArgumentException>(() => Projection.Create((Person p) => p.Age + 1));
        Assert.Throws<ArgumentException>(() => Projection.Create((Person p) => p));
        Assert.Throws<ArgumentException>(() => Projection.Create((Person p) => p.FullName));
        Assert.Throws<ArgumentNullException>(() => Projection.Create<Person, int>(null!));
    }

    [Fact]
    public void Projection_OfManyPilesAndThreads_ReadsEach()
    {
        var piles = Enumerable.Range(0, 4).Select(_ => Piles.Create()).ToArray();
        var pointers = piles.Select((pile, i) => pile.Put(new Person("p", $"name {i}", i))).ToArray();
        Parallel.For(0, 400, i => Assert.Equal($"name {i % 4}", piles[i % 4].Project(pointers[i % 4], LastName)));
        foreach (var pile in piles)
            pile.Dispose();
    }

    [Fact]
    public void Project_OfANumber_AllocatesNothing()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new Person("Ada", "Lovelace", 36) { Friend = new Person("a", "b", 1) });
        var age = Projection.Create((Person p) => p.Age);
        pile.Project(pointer, age);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 100; i++)
            pile.Project(pointer, age);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private class Person(string firstName, string? lastName, int age)
    {
        public readonly int Age = age;

        public string FirstName { get; } = firstName;

        public string? LastName { get; } = lastName;

        public Person? Friend { get; set; }

        public string FullName => $"{FirstName} {LastName}";
    }

    private sealed class Employee(string firstName, string? lastName, int age, string department)
        : Person(firstName, lastName, age)
    {
        public string Department { get; } = department;
    }
}
