using System.Reflection.Emit;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Types;

/// <summary>The closed lists of roots in an assembly of many types: it is looked through once, not for each
/// type.</summary>
[Trait("Case", "repair-E")]
[Trait("BackEnd", "Emitted")]
public sealed class SubtypesTests
{
    private const int TypeCount = 2700;

    [Fact]
    public void AssemblyOfManyTypes_IsLookedThroughOnce_ForAllRoots()
    {
        var types = Types();
        SlimOptions options = new();
        typeof(SlimOptions).GetMethod(nameof(SlimOptions.AllowAssemblyOf))!.MakeGenericMethod(types[0])
            .Invoke(options, null);
        SlimSerializer slim = new(options);
        foreach (var root in (Type[])[types[0], types[1], typeof(object), types[TypeCount - 1]])
        {
            var listed = slim.Engine.Roots.Of(root).Allowed.Listed;
            Assert.Superset(types.ToHashSet(), listed.ToHashSet());
        }

        Assert.InRange(slim.Engine.Rules.Subtypes.LookedAtCount, 1, 2 * TypeCount);
    }

    [Fact]
    public void Subtypes_OfClassesInterfacesAndVariantInterfaces_AreFound()
    {
        Subtypes subtypes = new();
        Assert.Equal([typeof(Cat), typeof(Dog)], subtypes.Of(typeof(Animal)).OrderBy(static t => t.Name));
        Assert.Equal([typeof(Cat)], subtypes.Of(typeof(IClimber)));
        Assert.Equal([typeof(Cat)], subtypes.Of(typeof(IEater<object>)));
        Assert.Equal([typeof(Dog)], subtypes.Of(typeof(Dog)));
        Assert.Empty(subtypes.Of(typeof(IEater<Animal>)));
    }

    // Unsealed classes, every third one derived from the one before.
    private static Type[] Types()
    {
        var module = AssemblyBuilder
            .DefineDynamicAssembly(new AssemblyName("Many"), AssemblyBuilderAccess.RunAndCollect)
            .DefineDynamicModule("Many");
        Type? before = null;
        var types = new Type[TypeCount];
        for (var i = 0; i < TypeCount; i++)
        {
            var type =
                module.DefineType($"Type{i}", TypeAttributes.Public, i % 3 == 0 ? typeof(object) : before);
            type.DefineField("Number", typeof(int), FieldAttributes.Public);
            types[i] = before = type.CreateType();
        }

        return types;
    }

    private interface IClimber;

    private interface IEater<out T>;

    private abstract class Animal;

    private sealed class Cat : Animal, IClimber, IEater<string>;

    private sealed class Dog : Animal;
}
