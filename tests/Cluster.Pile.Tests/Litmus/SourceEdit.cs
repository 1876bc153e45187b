using System.Text.RegularExpressions;

namespace Cluster.Pile.Tests.Litmus;

/// <summary>One change of the pile's sources for the woven build. Immutable; one that finds nothing to change is an
/// error, so that the proof cannot go stale unnoticed.</summary>
/// <param name="File">The file below the project, or a folder whose files are all changed.</param>
/// <param name="Pattern">What is changed, everywhere it stands; a regular expression.</param>
/// <param name="Replacement">What is there instead.</param>
internal sealed record SourceEdit(string File, string Pattern, string Replacement)
{
    // Before each access, so that something can happen between any two.
    private const string Reach = "LitmusPoints.Reach();";
    private const string Barrier = @"Volatile\.ReadBarrier\(\);";
    private const string Caches = "Slots/ThreadCache.cs";
    private const string Window = "Memory/NativeWindow.cs";
    private const string Space = "Slots/SlotSpace.cs";

    /// <summary>The points between accesses to memory, and the checks that can be left out.</summary>
    public static IReadOnlyList<SourceEdit> All { get; } =
    [
        // The sources are compiled without generators.
        new("Memory", @"LibraryImport\(", "DllImport("),
        new("Memory", @"static partial (\w+) (\w+)\(", "static extern $1 $2("),
        new(Window, @"(public ulong ReadWord\(long offset\)) => ([^;]+;)", $"$1 {{ {Reach} return $2 }}"),
        new(Window, @"(public void WriteWord\([^)]+\)) => ([^;]+;)", $"$1 {{ {Reach} $2 }}"),
        new(Window, @"(public void Write(?:Upper)?Half\([^)]+\)) =>\s+([^;]+;)", $"$1 {{ {Reach} $2 }}"),
        new(Window, @"(public bool TryExchangeWord\([^)]+\)) =>\s+([^;]+;)", $"$1 {{ {Reach} return $2 }}"),
        new(Window, @"(public void CopyOut\([^)]+\)) =>\s+([^;]+;)", $"$1 {{ {InHalves("destination")} }}"),
        new(Window, @"(public void CopyIn\([^)]+\)) =>\s+([^;]+;)", $"$1 {{ {InHalves("source")} }}"),
        new(Window, @"(public void CopyWithin\([^)]+\)) =>\s+([^;]+;)",
            $"$1 {{ {Reach} var whole = length; length /= 2; $2 {Reach} from += length; to += length; "
            + "length = whole - length; $2 }"),
        new(Window, @"(public void Clear\([^)]+\)) =>\s+([^;]+;)",
            $"$1 {{ {Reach} var whole = length; length /= 2; $2 {Reach} offset += length; length = whole - length; $2 }}"),
        new(Caches, @"public bool TryEnter\(\)\s+\{", "$& LitmusPoints.Enter();"),
        new(Caches, @"public void Exit\(\) => ([^;]+;)", "public void Exit() { LitmusPoints.Exit(); $1 }"),
        new("Slots", Barrier, $"if (!{Skips(LitmusCheck.ReadBarrier)}) {{ $& }}"),
        new("Objects", Barrier, $"if (!{Skips(LitmusCheck.ReadBarrier)}) {{ $& }}"),
        Unless(LitmusCheck.HeaderReload, Space, @"_window\.ReadWord\([\w.]+\) == header\.Word"),
        Unless(LitmusCheck.EntryReload, Space, @"_table\.Entry\((block|[^;()]+\([^;()]+\))\) == (place\.)?[eE]ntry"),
        new(Space, @"header\.VersionWrapsNext", $"$& && !{Skips(LitmusCheck.WrapCount)}"),
        new(Space, @"counter \+ 1", $"({Skips(LitmusCheck.Generation)} ? counter : counter + 1)"),
        new("Layout/SlabEntry.cs", @"(Incarnation) \+ 1", $"({Skips(LitmusCheck.Incarnation)} ? $1 : $1 + 1)"),
        new("Slabs/SlabArena.cs", @"(?<=Math\.Max\(counter, )_table\.HighWater\(block\)",
            $"({Skips(LitmusCheck.HighWater)} ? counter : $&)"),
        new("Slabs/SlabTable.cs", @"(?<=if \()_isLasting(?=\)\s+_window)", $"$& && !{Skips(LitmusCheck.RowChange)}"),
        new("Barriers/BlockSums.cs", @"Volatile\.Read\(ref _isKnown\[block\]\)",
            $"$& && !{Skips(LitmusCheck.SumForgotten)}"),
        new("Mapped/Intents/UpdateIntents.cs", @"_window\.WriteWord\(record \+ StageAt, Complete\);",
            $"if (!{Skips(LitmusCheck.UpdateIntent)}) $&"),
        new("Objects/ObjectWriter.cs", @"_intents is not null", $"$& && !{Skips(LitmusCheck.Aside)}"),
        new("Tables/RecordWriter.cs", @"!_space\.MayRewrite", $"$& && !{Skips(LitmusCheck.RecordAside)}"),
        new("Tables/RecordWriter.cs", @"(?<=isOwing \? )RecordState\.Owing",
            $"({Skips(LitmusCheck.RecordDebt)} ? RecordState.Dead : RecordState.Owing)"),
        Unless(LitmusCheck.RecordDebt, "Tables/RecordWriter.cs", @"header\.State == RecordState\.Owing"),
        new("Slabs/SlabArena.cs", @"_window\.WriteWord\(_layout\.BlockOffset\(head\), firstWord\);",
            $"if (!{Skips(LitmusCheck.SegmentMark)}) $&"),
        new("Files/CatalogFile.cs", @"description\.AsSpan\(\)\.SequenceEqual\(_kept\)",
            $"$& || {Skips(LitmusCheck.Catalog)}"),
    ];

    public string Apply(string source) => Regex.Replace(source, Pattern, Replacement);

    public bool Concerns(string file) => file == File || file.StartsWith(File + "/", StringComparison.Ordinal);

    private static SourceEdit Unless(LitmusCheck check, string file, string condition) =>
        new(file, condition, $"({Skips(check)} || ($&))");

    private static string Skips(LitmusCheck check) => $"LitmusPoints.Skips(LitmusCheck.{check})";

    // The first half, a point, and the other half, so that a copy can be of two moments.
    private static string InHalves(string span) =>
        $"{Reach} var whole = {span}; {span} = whole[..(whole.Length / 2)]; $2 "
            + $"{Reach} offset += {span}.Length; {span} = whole[{span}.Length..]; $2";
}
