using System.Reflection.Emit;
using System.Runtime.Serialization;
using Cluster.Slim.Registry;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Security;

/// <summary>The trusted profile: any type that can be carried, by name, and what stays refused.</summary>
public sealed class TrustedTests
{
    private static readonly Dictionary<string, Type> Known = new Type[]
    {
        typeof(Shape), typeof(Marked), typeof(Box<int>), typeof(FileStream),
    }.ToDictionary(NameOf);

    [Fact]
    public void Resolver_FindsTypesThatTheSerializerHasNotMet()
    {
        var message = New(null).Serialize<object>(
            new object[] { new Shape { Sides = 4 }, new Box<int> { Item = 5 } });
        Assert.Throws<SlimTypeNotAllowedException>(() => New(null).Deserialize<object>(message));
        List<string> asked = [];
        var back = (object[])New(name =>
        {
            asked.Add(name);
            return Known.GetValueOrDefault(name);
        }).Deserialize<object>(message);
        Assert.Equal((4, 5), (((Shape)back[0]).Sides, ((Box<int>)back[1]).Item));
        Assert.Equal([NameOf(typeof(Shape)), NameOf(typeof(Box<int>))], asked);
    }

    [Fact]
    public void Resolver_ThatDoesNotKnowTheName_RefusesIt()
    {
        var message = New(null).Serialize<object>(new Shape());
        SlimException error = Assert.Throws<SlimTypeNotAllowedException>(
            () => New(static _ => null).Deserialize<object>(message));
        Assert.Contains(nameof(Shape), error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(typeof(FileStream))]
    [InlineData(typeof(System.Diagnostics.Process))]
    [InlineData(typeof(System.Data.DataSet))]
    [InlineData(typeof(Marked))]
    [InlineData(typeof(Action))]
    [InlineData(typeof(nint))]
    public void Resolver_CannotPassTheDenyList(Type denied)
    {
        var message = New(null).Serialize<object>(new Shape());
        Assert.Throws<SlimTypeNotSupportedException>(() => New(_ => denied).Deserialize<object>(message));
    }

    [Fact]
    [Trait("BackEnd", "Emitted")]
    public void Resolver_CannotPassGadgets_WhereverTheyAreDeclared()
    {
        var module = AssemblyBuilder
            .DefineDynamicAssembly(new AssemblyName("Gadgets"), AssemblyBuilderAccess.Run)
            .DefineDynamicModule("Gadgets");
        var gadget = module.DefineType("System.Windows.ResourceDictionary", TypeAttributes.Public).CreateType();
        var derived = module.DefineType("Harmless", TypeAttributes.Public, gadget).CreateType();
        Resolver_CannotPassTheDenyList(gadget);
        Resolver_CannotPassTheDenyList(derived);
        Assert.Throws<SlimTypeNotSupportedException>(() => New(null).Serialize(Activator.CreateInstance(derived)));
    }

    [Fact]
    public void Resolver_ThatGivesAnotherType_IsRefusedByItsLayout()
    {
        var message = New(null).Serialize<object>(new Shape());
        Assert.ThrowsAny<SlimException>(() => New(static _ => typeof(Box<string>)).Deserialize<object>(message));
        Assert.ThrowsAny<SlimException>(() => New(static _ => typeof(List<>)).Deserialize<object>(message));
        Assert.ThrowsAny<SlimException>(() => New(static _ => typeof(IDisposable)).Deserialize<object>(message));
    }

    [Fact]
    public void Resolver_ThatFails_IsWrapped()
    {
        var message = New(null).Serialize<object>(new Shape());
        SlimException error = Assert.Throws<SlimMalformedException>(
            () => New(static _ => throw new InvalidTimeZoneException()).Deserialize<object>(message));
        Assert.IsType<InvalidTimeZoneException>(error.InnerException);
    }

    /// <summary>Messages bring in 4,096 types at most; those that came are read from then on as before.</summary>
    [Fact]
    [Trait("Case", "slim-M")]
    public void Resolver_GivesAtMostSoManyTypes_AndIsNotAskedAnyMore()
    {
        var known = New(null).Serialize<object>(new Shape { Sides = 4 });
        var unknown = New(null).Serialize<object>(new Box<int>());
        var asked = 0;
        var slim = New(name =>
        {
            asked++;
            return Known.GetValueOrDefault(name) ?? MadeUp(int.Parse(name, CultureInfo.InvariantCulture));
        });
        slim.Deserialize<object>(known);
        var types = slim.Engine.Serializers.Resolved;
        for (var i = 1; i < ResolvedTypes.CountMax; i++)
            Assert.Equal(MadeUp(i), types.Find($"{i}"));
        Assert.Equal(ResolvedTypes.CountMax, asked);
        var error = Assert.Throws<SlimLimitException>(() => slim.Deserialize<object>(unknown));
        Assert.Equal("ResolvedTypes", error.LimitName);
        Assert.Equal(ResolvedTypes.CountMax, asked);
        Assert.Equal(4, ((Shape)slim.Deserialize<object>(known)).Sides);
        Assert.Equal(0, ((Box<int>)New(Known.GetValueOrDefault).Deserialize<object>(unknown)).Item);
    }

    /// <summary>A type that is given again, and a name that nothing has, do not count.</summary>
    [Fact]
    [Trait("Case", "slim-M")]
    public void Resolver_ThatRepeatsItselfOrFindsNothing_MayBeAskedWithoutEnd()
    {
        ResolvedTypes types = new(static name => name == "none" ? null : typeof(Shape));
        for (var i = 0; i <= ResolvedTypes.CountMax; i++)
        {
            Assert.Equal(typeof(Shape), types.Find($"{i}"));
            Assert.Null(types.Find("none"));
        }
    }

    [Fact]
    [Trait("Case", "slim-M")]
    public void Resolver_IsNotAskedForNames_NestedTooDeep()
    {
        const int Max = TypeNames.GenericNestingMax;
        List<string> asked = [];
        ResolvedTypes types = new(name =>
        {
            asked.Add(name);
            return null;
        });
        foreach (var nesting in (int[])[Max, Max + 1, 10_000])
        {
            var name = $"{string.Concat(Enumerable.Repeat("L`1[", nesting))}I{new string(']', nesting)}[][,]";
            if (nesting == Max)
                Assert.Null(types.Find(name));
            else
                Assert.Equal("GenericNesting", Assert.Throws<SlimLimitException>(() => types.Find(name)).LimitName);
        }

        Assert.Single(asked);
    }

    [Theory]
    [InlineData(SlimProfile.Contract)]
    [InlineData(SlimProfile.InProcess)]
    public void Resolver_OfAnotherProfile_IsAnErrorOfTheOptions(SlimProfile profile)
    {
        var error = Assert.Throws<ArgumentException>(
            () => new SlimSerializer(new SlimOptions { Profile = profile, TypeResolver = static _ => null }));
        Assert.Contains("SlimOptions.TypeResolver", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Limits_StayInForce()
    {
        SlimOptions options = new() { Profile = SlimProfile.Trusted };
        options.Limits.MaxGraphBytes = 1_000;
        var message = New(null).Serialize<object>(new int[1_000]);
        Assert.Throws<SlimLimitException>(() => new SlimSerializer(options).Deserialize<object>(message));
    }

    [Fact]
    public void Callbacks_NeedTheirOptIn()
    {
        Assert.Throws<SlimTypeNotSupportedException>(() => New(null).Serialize<object>(new Marked()));
        SlimSerializer slim = new(new SlimOptions { Profile = SlimProfile.Trusted }.AllowCallbacks<Marked>());
        Assert.Equal(1, ((Marked)slim.DeepClone<object>(new Marked())).Runs);
    }

    private static SlimSerializer New(Func<string, Type?>? resolver) =>
        new(new SlimOptions { Profile = SlimProfile.Trusted, TypeResolver = resolver });

    // A type of its own for each number: its bits, as arguments.
    private static Type MadeUp(int number)
    {
        var type = typeof(Box<int>);
        for (var bit = 1; bit < 1 << 13; bit <<= 1)
            type = ((number & bit) == 0 ? typeof(Box<>) : typeof(List<>)).MakeGenericType(type);
        return type;
    }

    private static string NameOf(Type type) => TypeNames.Of(type);

    private sealed class Shape
    {
        public int Sides;
    }

    private sealed class Box<T>
    {
        public T? Item;
    }

    private sealed class Marked
    {
        [NonSerialized]
        private int _runs;

        public int Runs => _runs;

        [OnDeserialized]
        private void OnDeserialized(StreamingContext context) => _runs++;
    }
}
