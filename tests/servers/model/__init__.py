"""A scripted server that speaks OpenAI's chat completions and Batch API, with every fault that is known of such servers."""
