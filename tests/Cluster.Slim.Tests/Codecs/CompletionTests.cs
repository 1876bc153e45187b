namespace Cluster.Slim.Tests.Codecs;

/// <summary>Collections whose keys hold other collections are built from complete contents, wherever those
/// lie.</summary>
[Trait("Case", "slim-G")]
public sealed class CompletionTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions()
        .Allow<Group>().Allow<Names>().Allow<Dictionary<Group, int>>().Allow<Link>().Allow<Deep>());

    [Fact]
    public void KeyThatSharesACollectionBelowTheDepthLimit_IsCompleteBeforeItsOwner()
    {
        // The set is announced below depth 96, so its items follow after the dictionary that hashes them.
        HashSet<object> shared = [new Names("x"), new Names("y")];
        Link deepest = new() { Held = new Group(shared) };
        var chain = deepest;
        for (var i = 0; i < 150; i++)
            chain = new Link { Next = chain };
        Outer source = new() { A = chain, B = new() { [new Group(shared)] = 7 } };
        var back = _slim.DeepClone(source);
        Assert.Equal(7, back.B[new Group([new Names("y"), new Names("x")])]);
        var end = back.A;
        while (end!.Next is not null)
            end = end.Next;
        Assert.Same(((Group)end.Held!).Items, back.B.Keys.Single().Items);
    }

    [Fact]
    public void OwnerBelowTheDepthLimit_OfAKeyWithASetFromAbove_IsFilledFromTheCompleteSet()
    {
        HashSet<object> shared = [new Names("x"), new Names("y")];
        Dictionary<Group, int> deepest = new() { [new Group(shared)] = 7 };
        Link chain = new() { Held = deepest };
        for (var i = 0; i < 150; i++)
            chain = new Link { Next = chain };
        var back = _slim.DeepClone(new Link { Held = shared, Next = chain });
        var end = back;
        while (end.Next is not null)
            end = end.Next;
        var map = (Dictionary<Group, int>)end.Held!;
        Assert.Same(back.Held, map.Keys.Single().Items);
        Assert.Equal(7, map[new Group([new Names("y"), new Names("x")])]);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5)]
    public void NestedKeys_AreFilledInnermostFirst(int levels)
    {
        object key = new Names("leaf");
        for (var i = 0; i < levels; i++)
            key = new Group([key]);
        Dictionary<object, object> map = new() { [key] = "found", [new Names("other")] = key };
        var back = _slim.DeepClone(map);
        Assert.Equal("found", back[key]);
        Assert.Same(back.Keys.First(), back[new Names("other")]);
    }

    [Fact]
    public void OwnersReadBeforeAndAfterTheirParts_AreFilledFromCompleteOnes()
    {
        HashSet<object> inner = [new Names("a"), new Names("b")];
        HashSet<object> middle = [new Group(inner)];
        HashSet<object> outer = [new Group(middle)];
        foreach (var order in (HashSet<object>[][])[[inner, middle, outer], [outer, inner, middle]])
        {
            var back = _slim.DeepClone(order);
            Assert.All(back, set => Assert.All(set, item => Assert.Contains(item, set)));
            var position = Array.IndexOf(order, outer);
            Assert.Contains(new Group(middle), back[position]);
        }
    }

    [Fact]
    public void SetsThatHoldEachOther_AreFilledAndFindTheirItems()
    {
        HashSet<object> first = [new Names("a")];
        HashSet<object> second = [first, new Names("b")];
        first.Add(second);
        var back = _slim.DeepClone(first);
        var other = back.OfType<HashSet<object>>().Single();
        Assert.Contains(back, other);
        Assert.Contains(new Names("b"), other);
        Assert.Contains(new Names("a"), back);
    }

    [Fact]
    public void ImmutableCollections_WithObjectKeys_FindThem()
    {
        var map = ImmutableDictionary<Group, int>.Empty
            .Add(new Group([new Names("x"), new Names("y")]), 1).Add(new Group([]), 2);
        Assert.Equal(1, _slim.DeepClone(map)[new Group([new Names("y"), new Names("x")])]);
        ImmutableHashSet<object> set = [new Names("n"), new Group([new Names("m")])];
        Assert.Contains(new Group([new Names("m")]), _slim.DeepClone(set));
        Dictionary<ImmutableHashSet<object>, int> outer = new() { [set] = 1 };
        Assert.Contains(new Names("n"), _slim.DeepClone(outer).Keys.Single());
    }

    [Fact]
    public void ImmutableSet_WhoseItemDependsOnItsOwner_IsRefusedOnWriteWithItsPath()
    {
        Owner owner = new() { Name = "n" };
        owner.Items = [new Owned(owner)];
        for (var attempt = 0; attempt < 2; attempt++)
        {
            var error = Assert.Throws<SlimTypeNotSupportedException>(
                () => _slim.Serialize(new Holder { Owner = owner }));
            Assert.Contains("contains the collection", error.Message, StringComparison.Ordinal);
            Assert.Equal("Holder.Owner.Items", error.MemberPath);
        }

        using var session = _slim.OpenWriterSession();
        Assert.Throws<SlimTypeNotSupportedException>(
            () => session.Serialize(new System.Buffers.ArrayBufferWriter<byte>(), owner));
        Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.SerializeRoots(new System.Buffers.ArrayBufferWriter<byte>(), 1, owner));
    }

    [Fact]
    public void ImmutableSet_WhoseItemDependsOnItsOwner_IsRefusedOnRead()
    {
        Owner owner = new() { Name = "n" };
        owner.Items = [new Owned(owner)];
        var message = Security.UnprovenMessage.Of(_slim, owner);
        var error = Assert.ThrowsAny<SlimException>(() => _slim.Deserialize<Owner>(message));
        Assert.Contains("contains the collection", error.Message, StringComparison.Ordinal);
        Assert.Equal("Owner.Items", error.MemberPath);
    }

    [Fact]
    public void ImmutableSet_WhoseItemsOnlyReferToTheirOwner_IsCarried()
    {
        Company company = new() { Name = "c" };
        company.Staff = [new Person(1, company), new Person(2, company)];
        company.Desks = ImmutableDictionary<Desk, int>.Empty.Add(new Desk(company), 1);
        var back = _slim.DeepClone(company);
        Assert.Contains(new Person(2, back), back.Staff);
        Assert.Same(back, back.Staff.First().Company);
        Assert.Equal(1, back.Desks[back.Desks.Keys.Single()]);
    }

    [Fact]
    public void ImmutableSet_WithKeysBelowTheDepthLimit_IsRefusedOnWriteOrWorks()
    {
        Link chain = new() { Held = new Names("end") };
        for (var i = 0; i < 150; i++)
            chain = new Link { Next = chain };
        ImmutableHashSet<object> set = [new Group([chain]), new Names("a")];
        Assert.Contains(new Names("a"), _slim.DeepClone(set));
        ImmutableHashSet<object> deep = [new Deep(chain)];
        Assert.Contains(
            "too deep below",
            Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(deep)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void ManyWaitingCollections_OnASmallStack_AreFilled()
    {
        object key = new Names("leaf");
        List<object> all = [];
        for (var i = 0; i < 3_000; i++)
        {
            HashSet<object> set = [new Names("n" + i), key];
            key = new Link { Held = set };
            all.Add(set);
        }

        Exception? failure = null;
        Thread thread = new(
            () => failure = Record.Exception(() => Assert.Equal(3_000, _slim.DeepClone(all).Count)), 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }

    private sealed record Names(string Text);

    private sealed class Link
    {
        public Link? Next;
        public object? Held;
    }

    private sealed class Outer
    {
        public Link? A;
        public Dictionary<Group, int> B = [];
    }

    private sealed class Holder
    {
        public Owner? Owner;
    }

    private sealed class Company
    {
        public ImmutableHashSet<Person> Staff = [];
        public ImmutableDictionary<Desk, int> Desks = ImmutableDictionary<Desk, int>.Empty;
        public string Name = "";
    }

    private sealed class Desk(Company company)
    {
        public Company Company { get; } = company;
    }

    private sealed class Person(int id, Company company)
    {
        public int Id { get; } = id;

        public Company Company { get; } = company;

        public override bool Equals(object? obj) => obj is Person other && other.Id == Id;

        public override int GetHashCode() => Id;
    }

    private sealed class Deep(Link link)
    {
        private readonly Link _link = link;

        public override bool Equals(object? obj) => obj is Deep;

        public override int GetHashCode()
        {
            var end = _link;
            var count = 0;
            for (; end is not null; end = end.Next)
                count++;
            return count;
        }
    }

    private sealed class Owner
    {
        public ImmutableHashSet<Owned> Items = [];
        public string Name = "";
    }

    private sealed class Owned(Owner owner)
    {
        private readonly Owner _owner = owner;

        public override bool Equals(object? obj) => obj is Owned other && other._owner.Name == _owner.Name;

        public override int GetHashCode() => (_owner.Name ?? "").GetHashCode(StringComparison.Ordinal);
    }

    private sealed class Group(IEnumerable<object> items) : IEquatable<Group>
    {
        public HashSet<object> Items { get; } = items as HashSet<object> ?? [.. items];

        public bool Equals(Group? other) => other is not null && Items.SetEquals(other.Items);

        public override bool Equals(object? obj) => Equals(obj as Group);

        public override int GetHashCode() => Items.Aggregate(17, static (hash, item) => hash ^ item.GetHashCode());
    }
}
