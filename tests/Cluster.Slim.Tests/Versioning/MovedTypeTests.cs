using System.Reflection;
using System.Runtime.Loader;

namespace Cluster.Slim.Tests;

/// <summary>
/// Names in messages have the simple name of the assembly that declares a type. So a type that moved, with a forwarder
/// left behind, has another name than before, and two versions of an assembly give the same names.
/// </summary>
[Trait("Case", "slim-I")]
public sealed class MovedTypeTests
{
    private const string Line = "namespace Shop { public class Line { public int Count; public Line Next; } }";
    private const string Forwarder =
        "[assembly: System.Runtime.CompilerServices.TypeForwardedTo(typeof(Shop.Line))]";

    [Fact]
    public void ForwardedType_IsReadByItsOldName_OnceItHasAnAlias()
    {
        Type before = Load("before", TypeVersion.Compile("Shop.Models", Line))
            .GetType("Shop.Line", throwOnError: true)!;
        byte[] core = TypeVersion.Compile("Shop.Core", Line);
        Assembly models = Load("after", core, TypeVersion.Compile("Shop.Models", Forwarder, core));
        Type after = models.GetType("Shop.Line", throwOnError: true)!;
        Assert.Equal("Shop.Core", after.Assembly.GetName().Name);

        byte[] message = TypeVersion.Write(NewLine(before, 3));
        SlimTypeNotAllowedException error = Assert.Throws<SlimTypeNotAllowedException>(
            () => TypeVersion.Read(new SlimOptions(), message, after));
        Assert.Contains("Shop.Line, Shop.Models", error.Message, StringComparison.Ordinal);
        object back = TypeVersion.Read(new SlimOptions().Alias("Shop.Line, Shop.Models", after), message, after)!;
        CheckLine(after, 3, back);
        CheckLine(after, 4, TypeVersion.Read(new SlimOptions(), TypeVersion.Write(NewLine(after, 4)), after)!);
    }

    [Fact]
    public void TwoVersionsOfAnAssembly_AreNotConfused_AndReadEachOther()
    {
        Type first = Versioned("1.0.0.0", Line);
        Type second = Versioned("2.0.0.0", Line.Replace("int Count;", "int Count; public string Text = \"t\";"));
        Assert.NotEqual(first.Assembly.GetName().Version, second.Assembly.GetName().Version);
        SlimSerializer slim = new();
        for (int round = 0; round < 3; round++)
        {
            CheckLine(first, 1, Clone(slim, NewLine(first, 1)));
            object back = Clone(slim, NewLine(second, 2));
            CheckLine(second, 2, back);
            Assert.Equal("t", TypeVersion.Get(back, "Text"));
        }

        byte[] old = TypeVersion.Write(NewLine(first, 3));
        object widened = TypeVersion.Read(new SlimOptions(), old, second)!;
        CheckLine(second, 3, widened);
        Assert.Null(TypeVersion.Get(widened, "Text"));
        CheckLine(first, 4, TypeVersion.Read(new SlimOptions(), TypeVersion.Write(NewLine(second, 4)), first)!);
    }

    // A name means one type of a list. The other type of that name is refused, never taken for the first.
    [Fact]
    public void TwoVersionsOfAnAssembly_OnOneList_AreRefusedInsteadOfConfused()
    {
        Type[] versions = [Versioned("1.0.0.0", Line), Versioned("2.0.0.0", Line)];
        SlimSerializer slim = new(new SlimOptions().Allow(versions[0]).Allow(versions[1]));
        int refused = 0;
        foreach (Type version in versions)
        {
            try
            {
                CheckLine(version, 5, Clone(slim, NewLine(version, 5)));
            }
            catch (SlimException)
            {
                refused++;
            }
        }

        Assert.Equal(1, refused);
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
        object line = Activator.CreateInstance(type)!;
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
