using System.Runtime.Loader;

namespace Cluster.Slim.Tests.Versions;

/// <summary>Names in messages have the simple name of the assembly that declares a type. So a type that moved, with a
/// forwarder left behind, has another name than before, and two versions of an assembly give the same names.</summary>
[Trait("Case", "slim-I")]
public sealed class MovedTypeTests
{
    private const string Line = "namespace Shop { public class Line { public int Count; public Line Next; } }";
    private const string Forwarder =
        "[assembly: System.Runtime.CompilerServices.TypeForwardedTo(typeof(Shop.Line))]";

    [Fact]
    public void ForwardedType_IsReadByItsOldName_OnceItHasAnAlias()
    {
        var before = Load("before", TypeVersion.Compile("Shop.Models", Line))
            .GetType("Shop.Line", throwOnError: true)!;
        var core = TypeVersion.Compile("Shop.Core", Line);
        var models = Load("after", core, TypeVersion.Compile("Shop.Models", Forwarder, core));
        var after = models.GetType("Shop.Line", throwOnError: true)!;
        Assert.Equal("Shop.Core", after.Assembly.GetName().Name);

        var message = TypeVersion.Write(NewLine(before, 3));
        var error = Assert.Throws<SlimTypeNotAllowedException>(
            () => TypeVersion.Read(new SlimOptions(), message, after));
        Assert.Contains("Shop.Line, Shop.Models", error.Message, StringComparison.Ordinal);
        var back = TypeVersion.Read(new SlimOptions().Alias("Shop.Line, Shop.Models", after), message, after)!;
        CheckLine(after, 3, back);
        CheckLine(after, 4, TypeVersion.Read(new SlimOptions(), TypeVersion.Write(NewLine(after, 4)), after)!);
    }

    [Fact]
    public void TwoVersionsOfAnAssembly_AreNotConfused_AndReadEachOther()
    {
        var first = Versioned("1.0.0.0", Line);
        var second = Versioned("2.0.0.0", Line.Replace("int Count;", "int Count; public string Text = \"t\";"));
        Assert.NotEqual(first.Assembly.GetName().Version, second.Assembly.GetName().Version);
        SlimSerializer slim = new();
        for (var round = 0; round < 3; round++)
        {
            CheckLine(first, 1, Clone(slim, NewLine(first, 1)));
            var back = Clone(slim, NewLine(second, 2));
            CheckLine(second, 2, back);
            Assert.Equal("t", TypeVersion.Get(back, "Text"));
        }

        var old = TypeVersion.Write(NewLine(first, 3));
        var widened = TypeVersion.Read(new SlimOptions(), old, second)!;
        CheckLine(second, 3, widened);
        Assert.Null(TypeVersion.Get(widened, "Text"));
        CheckLine(first, 4, TypeVersion.Read(new SlimOptions(), TypeVersion.Write(NewLine(second, 4)), first)!);
    }

    [Theory]
    [InlineData(SlimProfile.Contract)]
    [InlineData(SlimProfile.Trusted)]
    public void TwoVersionsOfAnAssembly_OnOneList_AreRefusedInsteadOfConfused(SlimProfile profile)
    {
        Type[] versions = [Versioned("1.0.0.0", Line), Versioned("2.0.0.0", Line)];
        var options = new SlimOptions { Profile = profile }.Allow(versions[0]).Allow(versions[1]);
        CheckNamesBoth(Assert.Throws<ArgumentException>(() => new SlimSerializer(options)).Message);
    }

    // The list of the root has both as soon as the one is allowed and the other is reached.
    [Fact]
    public void TwoVersionsOfAnAssembly_OneAllowedAndOneReached_AreRefusedInsteadOfConfused()
    {
        Type[] versions = [Versioned("1.0.0.0", Line), Versioned("2.0.0.0", Line)];
        SlimSerializer slim = new(new SlimOptions().Allow(versions[0]));
        CheckLine(versions[0], 5, Clone(slim, NewLine(versions[0], 5)));
        for (var i = 0; i < 2; i++)
        {
            CheckNamesBoth(Assert.Throws<SlimTypeNotSupportedException>(
                () => Clone(slim, NewLine(versions[1], 5))).Message);
        }
    }

    [Fact]
    public void TwoVersionsOfAnAssembly_AllowedInProcess_AreNotConfused()
    {
        Type[] versions = [Versioned("1.0.0.0", Line), Versioned("2.0.0.0", Line)];
        SlimOptions options = new() { Profile = SlimProfile.InProcess };
        SlimSerializer slim = new(options.Allow(versions[0]).Allow(versions[1]));
        foreach (var version in versions)
            CheckLine(version, 5, Clone(slim, NewLine(version, 5)));
    }

    private static void CheckNamesBoth(string message)
    {
        Assert.Contains("two types are called Shop.Line, Shop.Models", message, StringComparison.Ordinal);
        Assert.Contains("version 1.0.0.0 in \"1.0.0.0\"", message, StringComparison.Ordinal);
        Assert.Contains("version 2.0.0.0 in \"2.0.0.0\"", message, StringComparison.Ordinal);
        Assert.Contains("make a serializer for each load context", message, StringComparison.Ordinal);
    }

    private static Type Versioned(string version, string source) => Load(version, TypeVersion.Compile(
        "Shop.Models", $"[assembly: System.Reflection.AssemblyVersion(\"{version}\")]\n{source}"))
        .GetType("Shop.Line", throwOnError: true)!;

    private static Assembly Load(string context, params byte[][] images)
    {
        AssemblyLoadContext loaded = new(context);
        return images.Select(image => loaded.LoadFromStream(new MemoryStream(image))).ToArray()[^1];
    }

    private static object NewLine(Type type, int count)
    {
        var line = Activator.CreateInstance(type)!;
        type.GetField("Count")!.SetValue(line, count);
        type.GetField("Next")!.SetValue(line, line);
        return line;
    }

    private static void CheckLine(Type type, int count, object back)
    {
        Assert.Equal(type, back.GetType());
        Assert.Equal(count, TypeVersion.Get(back, "Count"));
        Assert.Same(back, TypeVersion.Get(back, "Next"));
    }

    private static object Clone(SlimSerializer slim, object value)
    {
        System.Buffers.ArrayBufferWriter<byte> output = new();
        slim.SerializeRoots(output, value);
        return slim.DeserializeRoots(new(output.WrittenMemory), [value.GetType()])[0]!;
    }
}
