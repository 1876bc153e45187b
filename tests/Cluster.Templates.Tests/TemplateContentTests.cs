using System.Text.Json;
using System.Text.RegularExpressions;
using Cluster.Testing;

namespace Cluster.Templates.Tests;

/// <summary>What the files of the templates say. The system tests create, build and run projects of them.</summary>
public sealed partial class TemplateContentTests
{
    private const int LineWidthMax = 120;
    private const string Version = "CLUSTER_VERSION";

    private static readonly string Content =
        Path.Combine(RepositoryFolder.Path, "nodes", "Cluster.Templates", "content");

    private static readonly string[] Names = ["cluster-service", "cluster-web"];

    public static TheoryData<string> Templates { get; } = [.. Names];

    [Fact]
    public void Folders_AreTheTemplates() =>
        Assert.Equal(Names, Directory.GetDirectories(Content).Select(folder => Path.GetFileName(folder)).Order());

    [Fact]
    public void Identities_AreUnique()
    {
        string[] properties = ["identity", "groupIdentity", "name", "sourceName", "defaultName"];
        foreach (var property in properties)
            Assert.Equal(Names.Length, Names.Select(name => TextOf(Describe(name), property)).Distinct().Count());
    }

    [Theory]
    [MemberData(nameof(Templates))]
    public void Template_IsCalledLikeItsFolder_AndDescribesItself(string name)
    {
        var template = Describe(name);
        Assert.Equal(name, TextOf(template, "shortName"));
        Assert.True(TextOf(template, "description").Length > 40);
        Assert.Equal("C#", TextOf(template.GetProperty("tags"), "language"));
    }

    [Theory]
    [MemberData(nameof(Templates))]
    public void EveryOption_AndEveryChoice_HasADescription(string name)
    {
        if (!Describe(name).TryGetProperty("symbols", out var symbols))
            return;
        var options = symbols.EnumerateObject().Where(symbol => TextOf(symbol.Value, "type") == "parameter").ToArray();
        Assert.NotEmpty(options);
        foreach (var option in options.Select(option => option.Value))
        {
            Assert.NotEmpty(TextOf(option, "description"));
            var choices = option.GetProperty("choices").EnumerateArray().ToArray();
            Assert.All(choices, choice => Assert.NotEmpty(TextOf(choice, "description")));
            Assert.Contains(TextOf(option, "defaultValue"), choices.Select(choice => TextOf(choice, "choice")));
        }
    }

    [Theory]
    [MemberData(nameof(Templates))]
    public void VersionsOfOurPackages_ComeFromThePackage(string name)
    {
        var references = FilesOf(name)
            .SelectMany(path => PackageVersion().Matches(File.ReadAllText(path)))
            .ToArray();
        Assert.NotEmpty(references);
        Assert.All(references, reference => Assert.Equal(Version, reference.Groups[1].Value));
    }

    [Theory]
    [MemberData(nameof(Templates))]
    public void Lines_FitIntoTheWidthOfOurCode(string name) => Assert.All(
        FilesOf(name).Where(path => Path.GetExtension(path) is ".cs" or ".md" or ".csproj" or ".props"),
        path => Assert.All(File.ReadLines(path), line => Assert.InRange(line.Length, 0, LineWidthMax)));

    [Theory]
    [MemberData(nameof(Templates))]
    public void Readme_SaysHowToBuildAndStart(string name)
    {
        var page = ReadmeOf(name);
        Assert.Contains("\ndotnet build\n", page, StringComparison.Ordinal);
        Assert.Contains("\ndotnet run --no-build ", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Readme_OfTheWebTemplate_AsksForPagesOfNodesThatExist()
    {
        var page = ReadmeOf("cluster-web");
        using var settings = JsonDocument.Parse(
            File.ReadAllText(Path.Combine(Content, "cluster-web", "Properties", "launchSettings.json")));
        var profiles = settings.RootElement.GetProperty("profiles").EnumerateObject().ToArray();
        Assert.Equal(
            profiles.Select(profile => profile.Name),
            LaunchProfile().Matches(page).Select(match => match.Groups[1].Value));

        var nodes = profiles.Select(profile => TextOf(profile.Value, "applicationUrl")).ToArray();
        var program = File.ReadAllText(Path.Combine(Content, "cluster-web", "Program.cs"));
        var requests = Request().Matches(page);
        Assert.NotEmpty(requests);
        foreach (Match request in requests)
        {
            var verb = request.Groups["verb"].Success ? "Post" : "Get";
            Assert.Contains(request.Groups["node"].Value, nodes);
            Assert.Contains($"app.Map{verb}(\"/{request.Groups["page"].Value}", program, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Readme_OfTheServiceTemplate_StartsProjectsThatExist()
    {
        var projects = StartedProject().Matches(ReadmeOf("cluster-service")).Select(match => match.Groups[1].Value);
        Assert.Equal(3, projects.Count());
        Assert.All(projects, project => Assert.True(
            File.Exists(Path.Combine(Content, "cluster-service", project, $"{project}.csproj")), project));
    }

    private static string ReadmeOf(string name) => File.ReadAllText(Path.Combine(Content, name, "README.md"));

    private static JsonElement Describe(string name)
    {
        var text = File.ReadAllText(Path.Combine(Content, name, ".template.config", "template.json"));
        using var document = JsonDocument.Parse(text);
        return document.RootElement.Clone();
    }

    private static string TextOf(JsonElement element, string property) => element.GetProperty(property).GetString()!;

    private static string[] FilesOf(string name) =>
        Directory.GetFiles(Path.Combine(Content, name), "*", SearchOption.AllDirectories);

    [GeneratedRegex("<Package(?:Reference|Version) Include=\"Cluster\\.[\\w.]+\" Version=\"([^\"]*)\"")]
    private static partial Regex PackageVersion();

    [GeneratedRegex("--launch-profile (\\w+)")]
    private static partial Regex LaunchProfile();

    [GeneratedRegex("--project ([\\w.-]+)")]
    private static partial Regex StartedProject();

    // A request of the page, up to the first part of its path.
    [GeneratedRegex("\ncurl [^\n]*?(?<verb>-X POST )?(?<node>http://[^/\n]+)/(?<page>\\w*)")]
    private static partial Regex Request();
}
