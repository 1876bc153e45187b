using Cluster.Slim.Registry;
using Cluster.Slim.Types;
using Cluster.Slim.Types.Policy;

namespace Cluster.Slim.Tests.Framework;

/// <summary>The table of framework types against what the serializer does: what it calls carried comes back, what it
/// calls refused is refused for the reason that it gives, and no type is missing.</summary>
[Trait("Case", "repair-C5")]
public sealed class FrameworkTypeTableTests
{
    private const string UpdateVariable = "CLUSTER_UPDATE_TYPES";
    private const string Carried = "carried";
    private const string Abstract = "abstract: the classes derived from it say for themselves";
    private const string Elsewhere = "carried; programs do not make one on this operating system";
    private const string ByDefault = "there is no codec for this framework type.";

    private static readonly TypeRules Rules = new SlimSerializer().Engine.Rules;

    [Fact]
    public void Table_NamesEveryTypeOfTheFramework_WithWhatTheSerializerDoes()
    {
        string[] lines = [.. FrameworkTypes.All.Select(static t => $"{NameOf(t)} | {Judge(t)}")];
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
            File.WriteAllLines(PathOfTable(), lines);
        Assert.Equal(File.ReadAllLines(PathOfTable()), lines);
    }

    [Fact]
    public void Table_GivesEveryRefusalAReason()
    {
        Assert.DoesNotContain(File.ReadAllLines(PathOfTable()), static l => l.EndsWith(ByDefault, StringComparison.Ordinal));
    }

    [Fact]
    public void EveryForm_WithACodec_HasARowForEachOfItsTypes()
    {
        FrameworkForm[] forms =
        [
            FrameworkForm.Fixed, FrameworkForm.Value, FrameworkForm.Leaf, FrameworkForm.DefaultComparer,
            FrameworkForm.Whole, FrameworkForm.Sequence, FrameworkForm.Map, FrameworkForm.Immutable,
        ];
        Assert.Equal(
            forms.SelectMany(FrameworkForms.Of).Select(static t => t.ToString()).Order(StringComparer.Ordinal),
            FrameworkCodecs.Types.Select(static t => t.ToString()).Order(StringComparer.Ordinal));
    }

    private static string Judge(Type type)
    {
        var closed = FrameworkSamples.Close(type);
        if (Refusals.ReasonFor(FrameworkForms.CarriedTypeOf(closed), Rules) is { } reason)
            return type.IsAbstract && reason == ByDefault ? Abstract : "refused: " + reason;
        if (FrameworkSamples.Of(type) is not { } sample)
            return type.IsAbstract ? Abstract : Elsewhere;

        // What goes wrong stands in the comparison with the table, with all else that does.
        var verdict = "";
        return Record.Exception(() => verdict = Try(sample)) is { } error
            ? $"FAILS: {error.GetType().Name}: {error.Message.ReplaceLineEndings(" ")}"
            : verdict;
    }

    private static string Try(object sample)
    {
        SlimSerializer slim = new(new SlimOptions().Allow(FrameworkForms.CarriedTypeOf(sample.GetType())));
        byte[] message;
        try
        {
            message = slim.Serialize(sample);
        }
        catch (SlimTypeNotSupportedException e)
        {
            return "refused: " + e.Message[(e.Message.IndexOf("carried: ", StringComparison.Ordinal) + 9)..];
        }

        var back = slim.Deserialize<object>(message);
        FrameworkEquality.Check(sample, back);
        Assert.Equal(message, slim.Serialize(back));
        return Carried;
    }

    private static string NameOf(Type type) => type.FullName!;

    private static string PathOfTable([CallerFilePath] string file = "") =>
        Path.Combine(Path.GetDirectoryName(file)!, "FrameworkTypes.txt");
}
