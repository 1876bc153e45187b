using System.IO.Compression;
using System.Reflection.Metadata;
using System.Xml.Linq;
using Cluster.Testing;

namespace Cluster.SystemTests.Packages;

/// <summary>Every library becomes a package with its description, and with symbols that contain the sources.</summary>
[Collection(nameof(PackedLibraries))]
[Trait("Case", "repair-D")]
public sealed class PackageContentTests(PackedLibraries packed)
{
    private const string Analyzers = "Cluster.Analyzers";
    private const string Templates = "Cluster.Templates";
    private const string Icon = "icon.png";

    // The kind of debug information that contains the text of a source file; from the portable PDB specification.
    private static readonly Guid EmbeddedSource = new("0E8A571B-6926-466E-B4AD-8AB04611F5FE");

    // The project files of the product that are marked as packable.
    private static readonly string[] Names =
    [
        .. new[] { "contracts", "glue", "statestore", "nodes" }
            .SelectMany(part => Directory.GetFiles(
                Path.Combine(RepositoryFolder.Path, part), "*.csproj", SearchOption.AllDirectories))
            .Where(path => File.ReadAllText(path).Contains("<IsPackable>true</IsPackable>", StringComparison.Ordinal))
            .Select(path => Path.GetFileNameWithoutExtension(path))
            .Order(),
    ];

    public static TheoryData<string> Packages { get; } = [.. Names];

    /// <summary>The packages that a program references. Analyzers are for the compiler, templates for
    /// <c>dotnet new</c>.</summary>
    public static TheoryData<string> Libraries { get; } = [.. Names.Except([Analyzers, Templates])];

    [Fact]
    public void Libraries_AreAllThatAProgramCanReference()
    {
        string[] expected =
        [
            Analyzers, "Cluster.Buffers", "Cluster.Contracts", "Cluster.Glue", "Cluster.Nodes",
            "Cluster.Nodes.AspNetCore", "Cluster.Nodes.Consul", "Cluster.Nodes.Storage", "Cluster.Nodes.Storage.Redis",
            "Cluster.Pile", "Cluster.Slim", "Cluster.StateStore", Templates,
        ];
        Assert.Superset(expected.ToHashSet(), Names.ToHashSet());
        Assert.Equal(Names.Length, Directory.GetFiles(packed.Folder, "*.nupkg").Length);
        Assert.Equal(Names.Except([Analyzers, Templates]).Count(), Directory.GetFiles(packed.Folder, "*.snupkg").Length);
    }

    [Fact]
    public void PackageOfAnalyzers_HasThemAndTheFixesForTheCompiler_AndNoLibrary()
    {
        using var package = Open(Analyzers, "nupkg");
        string[] expected = [$"analyzers/dotnet/cs/{Analyzers}.CodeFixes.dll", $"analyzers/dotnet/cs/{Analyzers}.dll"];
        var assemblies = package.Entries.Select(entry => entry.FullName)
            .Where(name => name.EndsWith(".dll", StringComparison.Ordinal)).Order();
        Assert.Equal(expected, assemblies);
    }

    [Theory]
    [MemberData(nameof(Packages))]
    public void Package_DescribesItself(string library)
    {
        using var package = Open(library, "nupkg");
        using var text = package.GetEntry(library + ".nuspec")!.Open();
        var metadata = XElement.Load(text).Elements().Single();
        string ValueOf(string name) => (string?)metadata.Elements().FirstOrDefault(e => e.Name.LocalName == name) ?? "";

        Assert.True(ValueOf("description").Length > 40, $"the description is '{ValueOf("description")}'");
        Assert.DoesNotContain("Package Description", ValueOf("description"), StringComparison.Ordinal);
        Assert.Equal("MIT", ValueOf("license"));
        Assert.Equal("README.md", ValueOf("readme"));
        Assert.True(ValueOf("tags").Split(' ').Length > 3, $"the tags are '{ValueOf("tags")}'");
        Assert.NotNull(package.GetEntry("README.md"));
        Assert.Equal(Icon, ValueOf("icon"));
    }

    [Theory]
    [MemberData(nameof(Packages))]
    public void Package_HasAPngOf128By128AsIcon(string library)
    {
        using var package = Open(library, "nupkg");
        using var icon = package.GetEntry(Icon)!.Open();
        var start = new byte[24];
        icon.ReadExactly(start);
        Assert.Equal("PNG\r\n\x1a\n"u8, start.AsSpan(1, 7));
        Assert.Equal(128, BinaryPrimitives.ReadInt32BigEndian(start.AsSpan(16)));
        Assert.Equal(128, BinaryPrimitives.ReadInt32BigEndian(start.AsSpan(20)));
    }

    [Fact]
    public void PackageOfTemplates_IsMarkedAsSuch_AndNamesTheVersionOfTheOtherPackages()
    {
        using var package = Open(Templates, "nupkg");
        using var text = package.GetEntry(Templates + ".nuspec")!.Open();
        var metadata = XElement.Load(text).Elements().Single();
        var version = metadata.Elements().Single(e => e.Name.LocalName == "version").Value;
        var type = metadata.Descendants().Single(e => e.Name.LocalName == "packageType");
        Assert.Equal("Template", (string?)type.Attribute("name"));

        var projects = package.Entries.Where(entry => Path.GetExtension(entry.Name) is ".csproj" or ".props");
        var references = projects.Select(ReadToEnd).SelectMany(project => XElement.Parse(project).Descendants())
            .Where(item => item.Attribute("Version") is not null)
            .ToArray();
        Assert.NotEmpty(references);
        Assert.All(references, reference => Assert.Equal(version, (string?)reference.Attribute("Version")));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Package_HasTheLibraryAndItsDocumentation(string library)
    {
        using var package = Open(library, "nupkg");
        Assert.NotNull(package.GetEntry($"lib/net10.0/{library}.dll"));
        Assert.NotNull(package.GetEntry($"lib/net10.0/{library}.xml"));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Symbols_HoldEverySource_AndNameNoFolderOfTheMachine(string library)
    {
        using var package = Open(library, "snupkg");
        using var pdb = new MemoryStream();
        using (var entry = package.GetEntry($"lib/net10.0/{library}.pdb")!.Open())
            entry.CopyTo(pdb);
        pdb.Position = 0;
        using var provider = MetadataReaderProvider.FromPortablePdbStream(pdb);
        var reader = provider.GetMetadataReader();

        Assert.NotEmpty(reader.Documents);
        foreach (var handle in reader.Documents)
        {
            var path = reader.GetString(reader.GetDocument(handle).Name);
            Assert.StartsWith("/_/", path, StringComparison.Ordinal);
            Assert.True(
                reader.GetCustomDebugInformation(handle)
                    .Any(kind => reader.GetGuid(reader.GetCustomDebugInformation(kind).Kind) == EmbeddedSource),
                $"the text of {path} is not in the symbols");
        }
    }

    private static string ReadToEnd(ZipArchiveEntry entry)
    {
        using var reader = new StreamReader(entry.Open());
        return reader.ReadToEnd();
    }

    private ZipArchive Open(string library, string extension) => ZipFile.OpenRead(
        Directory.GetFiles(packed.Folder, $"{library}.*.{extension}")
            .Single(path => char.IsAsciiDigit(Path.GetFileName(path)[library.Length + 1])));
}
