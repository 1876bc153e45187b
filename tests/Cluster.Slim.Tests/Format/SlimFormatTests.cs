using System.Text.RegularExpressions;
using Cluster.Slim.Layouts;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Format;

/// <summary>The format page and the golden files against the code.</summary>
[Trait("Case", "slim-N")]
public sealed partial class SlimFormatTests
{
    private const string UpdateVariable = "CLUSTER_UPDATE_GOLDEN";

    private static readonly Dictionary<string, string> Keywords = new()
    {
        ["List`1"] = "List", ["Dictionary`2"] = "Dictionary",
    };

    private static readonly Dictionary<string, (Func<byte[]> Write, Action<byte[]> Check)> Golden =
        GoldenCases.All.Concat(GoldenFamilies.All).Concat(GoldenUserCode.All).Concat(GoldenFramework.All).ToDictionary();

    public static TheoryData<string> GoldenNames => new(Golden.Keys);

    internal static IEnumerable<string> Names => Golden.Keys;

    [Fact]
    public void CodeTable_OfThePage_IsTheCode()
    {
        var page = CodeCell().Matches(Section("## Type references", "## Layouts"))
            .ToDictionary(m => int.Parse(m.Groups[1].Value, CultureInfo.InvariantCulture), m => m.Groups[2].Value.Trim());
        Assert.Equal(
            WireTypes.All.ToDictionary(p => p.Code, p => NameOf(p.Type)).OrderBy(p => p.Key),
            page.OrderBy(p => p.Key));
    }

    [Fact]
    public void Codes_AreUniqueAndBelowTheTypeTable()
    {
        Assert.Equal(WireTypes.All.Length, WireTypes.All.Select(p => p.Code).Distinct().Count());
        Assert.All(WireTypes.All, p => Assert.InRange(p.Code, 1, (int)ObjectTags.TypeTableFirst - 1));
    }

    [Theory]
    [InlineData("Null", ObjectTags.Null)]
    [InlineData("NewExact", ObjectTags.NewExact)]
    [InlineData("NewTyped", ObjectTags.NewTyped)]
    [InlineData("Reference", ObjectTags.ReferenceFirst)]
    [InlineData("Known", ObjectTags.FlagKnown)]
    [InlineData("InProcess", ObjectTags.FlagInProcess)]
    [InlineData("Session", ObjectTags.FlagSession)]
    public void Constant_OfThePage_IsTheCode(string name, uint value)
    {
        Assert.Contains($"| {name} | {value} |", Page(), StringComparison.Ordinal);
    }

    [Fact]
    public void LayoutStepsAndTraits_OfThePage_AreTheCode()
    {
        var page = Page();
        Assert.All(Enum.GetValues<LayoutOp>(), op => Assert.Contains($"| {op} | {(int)op} |", page));
        Assert.All(
            Enum.GetValues<LayoutTraits>().Where(static t => t != LayoutTraits.None),
            trait => Assert.Contains($"| {trait} | {(int)trait} |", page));
        Assert.Contains($"at most {LayoutSizes.ValueDepthMax} deep in values", page, StringComparison.Ordinal);
    }

    [Fact]
    public void VersionAndDepths_OfThePage_AreTheCode()
    {
        Assert.Contains($"| header.version | 1 | {ObjectTags.HeaderVersion:X2} |", Page(), StringComparison.Ordinal);
        Assert.Contains($"at most {ObjectTags.DepthMax} levels deep", Page(), StringComparison.Ordinal);
        Assert.Contains($"lie {ObjectTags.HeadDepthMax} levels deep", Page(), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(GoldenNames))]
    public void GoldenMessage_IsWrittenAndReadIdentically(string name)
    {
        (var write, var check) = Golden[name];
        var path = PathOf(name);
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
            File.WriteAllText(path, Lines(write()));
        var golden = GoldenOf(name);
        Assert.Equal(Convert.ToHexString(golden), Convert.ToHexString(write()));
        check(golden);
    }

    [Fact]
    public void GoldenFiles_AllOfThem_HaveTheirCase() => Assert.Equal(
        Golden.Keys.Order(StringComparer.Ordinal),
        Directory.EnumerateFiles(Path.Combine(Folder(), "..", "Golden"))
            .Select(Path.GetFileNameWithoutExtension).Order(StringComparer.Ordinal));

    internal static byte[] GoldenOf(string name) =>
        Convert.FromHexString(string.Concat(File.ReadAllText(PathOf(name)).Split('\n')));

    private static string PathOf(string name) => Path.Combine(Folder(), "..", "Golden", name + ".hex");

    private static string Lines(byte[] bytes) =>
        string.Concat(bytes.Chunk(32).Select(c => Convert.ToHexString(c) + "\n"));

    private static string NameOf(Type type)
    {
        if (!type.IsGenericType)
            return type.Name;
        return $"{Keywords[type.Name]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>";
    }

    private static string Section(string from, string to)
    {
        var page = Page();
        var start = page.IndexOf(from, StringComparison.Ordinal);
        return page[start..page.IndexOf(to, StringComparison.Ordinal)];
    }

    private static string Page() =>
        File.ReadAllText(Path.Combine(Folder(), "..", "..", "..", "docs", "formats", "slim.md"));

    private static string Folder([CallerFilePath] string path = "") => Path.GetDirectoryName(path)!;

    [GeneratedRegex(@"(?<=\| )(\d+) \| ([^|]+) (?=\|)")]
    private static partial Regex CodeCell();
}
