namespace Shop.Drive.CommandLine;

/// <summary>The outcome of reading a command line: options, or everything that is wrong with it. Immutable.</summary>
/// <param name="Options">What the user asked for; <c>null</c> when there are problems.</param>
/// <param name="Problems">One sentence each.</param>
internal sealed record ParsedOptions(ShopOptions? Options, ImmutableArray<string> Problems);
