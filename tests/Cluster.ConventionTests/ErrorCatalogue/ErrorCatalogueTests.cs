using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.ErrorCatalogue;

/// <summary>docs/error-catalogue.md has one heading of level 3 for each public exception, or for each of its codes, and
/// the help links of the exceptions lead to these headings. Headings of level 2 are the parts of the page.</summary>
public sealed partial class ErrorCatalogueTests
{
    private const string Page = "docs/error-catalogue.md";

    // These properties say what a caller can do. The code beside them names the cause.
    private static readonly string[] NoCodes = ["GlueException.Kind", "GlueException.Delivery"];

    private static readonly ErrorCase[] Cases =
    [
        .. RepositorySnapshot.Current.Projects
            .Where(project => !project.IsTestCode && project.Property("IsPackable") == "true")
            .Where(project => project.Property("PackageType") != "Template")
            .SelectMany(project => Assembly.Load(project.Name).GetExportedTypes())
            .Where(type => type is { IsAbstract: false } && type.IsAssignableTo(typeof(Exception)))
            .SelectMany(CasesOf),
    ];

    public static TheoryData<string> Headings => [.. Cases.Select(error => error.Heading)];

    [Fact]
    public void Cases_OfTheLibraries_AreFound()
    {
        // If no case was found, every test here would pass.
        Assert.True(Cases.Length > 80);
        Assert.Contains(Cases, error => error.Heading == "StateBusyException");
        Assert.Contains(Cases, error => error.Heading == "GlueException: LinkLost");
    }

    [Fact]
    public void Page_ForEachErrorAndCode_HasOneHeading_AndNoOther() =>
        Assert.Equal(
            Cases.Select(error => error.Heading).Order(StringComparer.Ordinal),
            SectionsOf(RepositorySnapshot.Current.Files[Page]).Select(section => section.Heading)
                .Order(StringComparer.Ordinal));

    [Fact]
    public void Page_EachHeading_HasCauseAndRemedy() =>
        Assert.All(SectionsOf(RepositorySnapshot.Current.Files[Page]), section =>
        {
            Assert.Contains("\n- Cause: ", section.Text, StringComparison.Ordinal);
            Assert.Contains("\n- Remedy: ", section.Text, StringComparison.Ordinal);
        });

    [Theory]
    [MemberData(nameof(Headings))]
    public void HelpLink_OfEachErrorAndCode_LeadsToItsHeading(string heading) =>
        Assert.EndsWith(
            $"{Page}#{AnchorOf(heading)}",
            Cases.Single(error => error.Heading == heading).Create().HelpLink,
            StringComparison.Ordinal);

    [Fact]
    public void HelpLink_ThatWasSet_StaysAsItIs() =>
        Assert.All(Cases, error =>
        {
            var exception = error.Create();
            exception.HelpLink = "https://example.org/help";
            Assert.Equal("https://example.org/help", exception.HelpLink);
        });

    [Fact]
    public void Sections_OfAPage_AreThoseOfLevel3()
    {
        const string Text = "# Page\n\ntext\n\n## Part\n\n### A\n\n- Cause: x\n\n### B: C\n\ny\n\n## Next\n\nz\n";
        Assert.Equal(
            [("A", "\n\n- Cause: x\n\n"), ("B: C", "\n\ny\n\n")], SectionsOf(Text));
        Assert.Equal("b-c", AnchorOf("B: C"));
    }

    private static IEnumerable<(string Heading, string Text)> SectionsOf(string page) =>
        Section().Matches(page).Select(match => (match.Groups[1].Value, match.Groups[2].Value));

    private static IEnumerable<ErrorCase> CasesOf(Type type)
    {
        var code = type.GetProperties()
            .SingleOrDefault(property => property.PropertyType.IsEnum
                && !NoCodes.Contains($"{type.Name}.{property.Name}"));
        return code is null
            ? [new ErrorCase(type, null, null)]
            : Enum.GetValues(code.PropertyType).Cast<Enum>().Select(value => new ErrorCase(type, code, value));
    }

    // The anchor of a heading on the usual hosts of repositories.
    private static string AnchorOf(string heading) =>
        NoAnchor().Replace(heading.ToLowerInvariant(), "").Replace(' ', '-');

    [GeneratedRegex(@"^### (.+?)$(.*?)(?=^##|\z)", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Section();

    [GeneratedRegex(@"[^\w\- ]")]
    private static partial Regex NoAnchor();
}
