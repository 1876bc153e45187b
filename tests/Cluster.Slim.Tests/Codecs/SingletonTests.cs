using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Acceptance case H: objects of which a process has one, comparers standing alone, and types.</summary>
[Trait("Case", "slim-H")]
public sealed class SingletonTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    [Trait("Case", "slim-F")]
    public void WellKnownObjects_AreTheSameAfterwards()
    {
        CheckSame<object>(
            DBNull.Value, Missing.Value, EventArgs.Empty, string.Empty, ReferenceEqualityComparer.Instance,
            StringComparer.Ordinal, StringComparer.OrdinalIgnoreCase, StringComparer.InvariantCulture,
            StringComparer.InvariantCultureIgnoreCase, Comparer.Default, Comparer.DefaultInvariant,
            CaseInsensitiveComparer.DefaultInvariant);
        CheckSame(StringComparer.Ordinal, StringComparer.OrdinalIgnoreCase);
        CheckSame<IEqualityComparer<string>>(StringComparer.Ordinal, EqualityComparer<string>.Default);
        CheckSame<IComparer<string>>(StringComparer.OrdinalIgnoreCase, Comparer<string>.Default);
        CheckSame(DBNull.Value);
        CheckSame(Missing.Value);
    }

    [Fact]
    public void DefaultComparers_AreTheSameAfterwards()
    {
        CheckDefaults<int>();
        CheckDefaults<string>();
        CheckDefaults<object>();
        CheckDefaults<int?>();
        CheckDefaults<DayOfWeek>();
        CheckDefaults<Kind>();
        CheckDefaults<byte>();
        CheckDefaults<Name>();
    }

    [Fact]
    public void CultureComparers_CompareAlikeAfterwards()
    {
        var turkish = StringComparer.Create(CultureInfo.GetCultureInfo("tr-TR"), CompareOptions.IgnoreCase);
        RoundTripMatrix.Check<object>(turkish, back => Assert.Equal(turkish, back));
        RoundTripMatrix.Check(turkish, back => Assert.True(back.Equals("ı", "I")));
        RoundTripMatrix.Check(
            new Comparer(CultureInfo.GetCultureInfo("sv-SE")), back => Assert.True(back.Compare("z", "ö") < 0));
        RoundTripMatrix.Check(
            new CaseInsensitiveComparer(CultureInfo.GetCultureInfo("tr-TR")),
            back => Assert.Equal(0, back.Compare("ı", "I")));
    }

    [Fact]
    public void FurtherEventArgs_AreObjectsOfTheirOwn()
    {
        EventArgs one = new();
        var back = _slim.DeepClone(new[] { one, EventArgs.Empty, one });
        Assert.Same(back[0], back[2]);
        Assert.NotSame(back[0], back[1]);
        Assert.Same(EventArgs.Empty, back[1]);
        Assert.Equal("n", _slim.DeepClone(new Named("n")).Name);
    }

    [Fact]
    public void UnknownComparersOfTheFramework_AreRefused()
    {
        CheckRefused(Comparer<int>.Create((x, y) => 0), "write a comparer class");
    }

    [Fact]
    public void EmptyArrays_AreEmptyArraysOfTheirOwn_SharedAsTheyWere()
    {
        var back = _slim.DeepClone(new[] { Array.Empty<int>(), Array.Empty<int>(), [] });
        Assert.Same(back[0], back[1]);
        Assert.All(back, Assert.Empty);
    }

    [Fact]
    public void Types_OnTheClosedList_AreTheSameAfterwards()
    {
        SlimSerializer slim = new(new SlimOptions().Allow<Name>().Allow<int[,]>().Allow<Dictionary<Kind, Name>>());
        foreach (var type in (Type[])[typeof(int), typeof(string), typeof(object), typeof(Name), typeof(int[,]),
            typeof(int[]), typeof(Dictionary<Kind, Name>), typeof(Kind), typeof(List<int>), typeof(DBNull)])
        {
            Assert.Same(type, slim.DeepClone(type));
            Assert.Same(type, slim.DeepClone<object>(type));
        }

        Dictionary<Type, int> map = new() { [typeof(int)] = 1, [typeof(Name)] = 2 };
        Assert.Equal(2, slim.DeepClone(map)[typeof(Name)]);
    }

    [Fact]
    public void Types_ThatNoValueCanHave_AreRefused()
    {
        foreach (var type in (Type[])[typeof(List<>), typeof(Dictionary<,>), typeof(int).MakeByRefType(),
            typeof(int).MakePointerType(), typeof(List<>).GetGenericArguments()[0], typeof(IDisposable),
            typeof(IList<int>), typeof(Enum), typeof(void), typeof(Span<int>), typeof(List<>).MakeArrayType()])
            CheckRefused(type, "no value can be of this type");
        Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(typeof(FileStream)));
        Assert.Throws<SlimTypeNotAllowedException>(() => _slim.Serialize(typeof(Name)));
    }

    [Fact]
    public void Assemblies_AndWhatIsInThem_AreRefused()
    {
        CheckRefused(typeof(int).Assembly, "code is not data");
        CheckRefused(typeof(int).Module, "code is not data");
        CheckRefused(typeof(int).GetMethod(nameof(int.GetTypeCode))!, "code is not data");
        CheckRefused(typeof(string).GetProperty(nameof(string.Length))!, "code is not data");
    }

    [Fact]
    public void ForgedNumber_OfAWellKnownObject_IsRefused()
    {
        var message = _slim.Serialize(DBNull.Value);
        message[^1] = 1;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<DBNull>(message));
        message = _slim.Serialize(StringComparer.Ordinal);
        message[^1] = 99;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<StringComparer>(message));
    }

    private static void CheckSame<T>(params T[] values)
        where T : class
    {
        foreach (var value in values)
            RoundTripMatrix.Check(value, back => Assert.Same(value, back));
    }

    private static void CheckDefaults<T>()
    {
        CheckSame<IEqualityComparer<T>>(EqualityComparer<T>.Default);
        CheckSame(EqualityComparer<T>.Default);
        CheckSame<IComparer<T>>(Comparer<T>.Default);
        CheckSame(Comparer<T>.Default);
        SlimSerializer slim = new(new SlimOptions().Allow<EqualityComparer<T>>().Allow<Comparer<T>>());
        Assert.Same(EqualityComparer<T>.Default, slim.DeepClone<object>(EqualityComparer<T>.Default));
        Assert.Same(Comparer<T>.Default, slim.DeepClone<object>(Comparer<T>.Default));
    }

    private static void CheckRefused(object value, string reason)
    {
        SlimSerializer slim = new(new SlimOptions().Allow<Comparer<int>>());
        for (var attempt = 0; attempt < 2; attempt++)
        {
            var error = Assert.Throws<SlimTypeNotSupportedException>(
                () => slim.Serialize(new Holder { Value = value }));
            Assert.Equal("Holder.Value", error.MemberPath);
            Assert.Contains(reason, error.Message, StringComparison.Ordinal);
        }
    }

    private enum Kind : ushort
    {
        None,
    }

    private sealed record Name(string Text);

    private sealed class Named(string name) : EventArgs
    {
        public string Name { get; } = name;
    }

    private sealed class Holder
    {
        public object? Value;
    }
}
