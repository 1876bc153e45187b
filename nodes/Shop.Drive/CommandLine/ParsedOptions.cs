namespace Shop.Drive.CommandLine;

/// <summary>The result of reading a command line: options, or all problems of the command line. Immutable.</summary>
/// <param name="Options">The options; <c>null</c> if there are problems.</param>
/// <param name="Problems">One sentence for each problem.</param>
internal sealed record ParsedOptions(ShopOptions? Options, ImmutableArray<string> Problems);
